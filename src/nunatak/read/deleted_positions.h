#pragma once

#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/iceberg/position_set.h"
#include "nunatak/io/file_io.h"
#include "nunatak/plan/file_scan_task.h"
#include "nunatak/read/scan_options.h"

namespace nunatak {

/// The rows that position delete files and deletion vectors remove from data files. Each delete
/// file is read once, by the first task that needs it, and shared by the others. Thread-safe.
class NUNATAK_EXPORT DeletedPositions {
 public:
  using Positions = std::shared_ptr<const iceberg::PositionSet>;

  DeletedPositions(std::shared_ptr<FileIO> io, Context context, ScanOptions options = {})
      : io_(std::move(io)), context_(std::move(context)), options_(options) {}

  /// The positions that the task's deletes remove from its data file; null when there is none. A
  /// deletion vector replaces position delete files. An error names the delete file.
  Positions For(const FileScanTask& task);

 private:
  /// The positions in a delete file by the path of the data file.
  using PositionsByPath = std::unordered_map<std::string, Positions>;
  using Loaded = std::shared_future<std::shared_ptr<const PositionsByPath>>;

  std::shared_ptr<const PositionsByPath> Load(const DataFile& delete_file,
                                              const std::string& data_path);
  PositionsByPath ReadDeleteFile(const DataFile& file) const;
  Positions ReadDeletionVector(const DataFile& file) const;

  std::shared_ptr<FileIO> io_;
  Context context_;
  ScanOptions options_;
  std::mutex mutex_;
  /// By location and, since a Puffin file holds several vectors, blob offset.
  std::map<std::pair<std::string, int64_t>, Loaded> loaded_;
};

}  // namespace nunatak
