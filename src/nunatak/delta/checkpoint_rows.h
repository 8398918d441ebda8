#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nunatak/base/context.h"
#include "nunatak/delta/add_files.h"
#include "nunatak/delta/checkpoint_file.h"
#include "nunatak/delta/file_statistics.h"
#include "nunatak/delta/table_schema.h"
#include "nunatak/plan/file_batch.h"

namespace nunatak::delta {

/// The `add` actions among the rows of a checkpoint's file that are at hand; fewer and fewer, as it
/// turns out which are wanted. What was decoded of them stays as long as this.
class CheckpointRows {
 public:
  /// Those that `keys` does not know. `columns` are the physical names of the partition columns.
  CheckpointRows(CheckpointFile* file, int64_t row_count, const FileKeys& keys,
                 const std::vector<std::string>& columns);

  void ReadPartitions();
  void ReadStatistics(const Context& context, const std::vector<StatisticsColumn>& columns);
  /// Drops what `request` does not want by what was read so far; returns how many these were.
  int64_t Narrow(const FileRequest& request, const TableSchema& table);
  /// Reads what was not read yet.
  void AppendTo(const Context& context, AddFiles* files, FileStatistics* statistics);

 private:
  void ReadVectors();
  const DeletionVectorDescriptor* VectorOf(size_t i) const {
    return vectors_.empty() || !vectors_[i] ? nullptr : &*vectors_[i];
  }
  /// Keeps the rows at `positions`, ascending, of those that are left.
  void Keep(std::span<const uint32_t> positions);
  void AppendPartitions(AddFiles* files) const;
  size_t size() const { return paths_.size(); }

  CheckpointFile* file_;
  const std::vector<std::string>& columns_;
  RowSelection rows_;
  /// Of the rows that are left, one each; no vectors where the file has none.
  std::vector<std::string_view> paths_;
  std::vector<std::optional<DeletionVectorDescriptor>> vectors_;
  /// What paths, vectors and partition values are views of.
  TextArena texts_;
  std::vector<CheckpointColumn> kept_;
  /// Per partition column; absent until they are read.
  std::optional<std::vector<std::vector<std::string_view>>> partitions_;
  std::optional<FileStatistics> statistics_;
};

}  // namespace nunatak::delta
