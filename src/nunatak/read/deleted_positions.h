#pragma once

#include <future>
#include <list>
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
/// file is read by the first task that needs it and shared by the others; it is read again only if
/// it was given up meanwhile: together they may take a quarter of the context's memory budget, and
/// those that were used least recently go first. Thread-safe.
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
  /// The location and, since a Puffin file holds several vectors, the blob's offset.
  using Key = std::pair<std::string, int64_t>;
  struct Entry {
    Key key;
    Loaded loaded;
    /// −1 until it is loaded.
    int64_t bytes = -1;
  };
  using Entries = std::list<Entry>;

  std::shared_ptr<const PositionsByPath> Load(const DataFile& delete_file,
                                              const std::string& data_path);
  PositionsByPath ReadFor(const DataFile& delete_file, const std::string& data_path) const;
  /// Notes what an entry takes, and makes room for it.
  void Keep(Entries::iterator entry, int64_t bytes);
  PositionsByPath ReadDeleteFile(const DataFile& file) const;

  std::shared_ptr<FileIO> io_;
  Context context_;
  ScanOptions options_;
  std::mutex mutex_;
  /// Those that were used last come last.
  Entries entries_;
  std::map<Key, Entries::iterator> entries_by_key_;
  int64_t bytes_ = 0;
};

}  // namespace nunatak
