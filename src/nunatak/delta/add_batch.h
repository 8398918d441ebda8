#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "nunatak/delta/add_files.h"
#include "nunatak/delta/file_statistics.h"
#include "nunatak/delta/partition_numbers.h"
#include "nunatak/delta/table_schema.h"
#include "nunatak/plan/file_batch.h"

namespace nunatak::delta {

/// `add` actions as the planner takes them.
class AddBatch final : public FileBatch {
 public:
  /// `root` is the location of the table. `statistics` are finished, and
  /// have the columns of `request`, and all that there are where metrics may be appended; `others`
  /// are the files of the group that are not among these. Throws
  /// `ErrorCode::kInvalid` for a partition value that is none of its column's type.
  AddBatch(std::string_view root, const TableSchema& table, std::shared_ptr<const AddFiles> files,
           FileStatistics statistics, const FileRequest& request, LeftOutFiles others = {});

  void AppendFiles(std::span<const uint32_t> positions, bool column_metrics,
                   std::vector<DataFile>* out) const override;
  std::shared_ptr<const DeleteFile> OwnDeletes(size_t i) const override;
  std::optional<int64_t> FileSequenceNumber(size_t /*i*/) const override { return std::nullopt; }
  std::optional<int64_t> SnapshotId(size_t /*i*/) const override { return std::nullopt; }
  bool IsAdded(size_t /*i*/) const override { return false; }
  int64_t memory_bytes() const override { return memory_bytes_; }

 private:
  void MakePaths();
  void AppendMetrics(size_t i, DataFile* file) const;

  std::string root_;
  std::shared_ptr<const AddFiles> files_;
  FileStatistics statistics_;
  /// All paths, one behind the other.
  std::string path_bytes_;
  std::vector<std::string_view> paths_;
  std::vector<FileContent> contents_;
  std::vector<int64_t> sequence_numbers_;
  PartitionNumbers partitions_;
  /// Of each tuple; made once, and shared by the files.
  std::vector<PartitionValues> tuple_values_;
  /// For fields that have no statistics.
  MetricColumn unknown_;
  int64_t memory_bytes_ = 0;
};

}  // namespace nunatak::delta
