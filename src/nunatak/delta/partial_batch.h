#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "nunatak/delta/file_statistics.h"
#include "nunatak/delta/partition_numbers.h"
#include "nunatak/plan/file_batch.h"

namespace nunatak::delta {

/// What `FileRequest::wanted` is asked about: files of which no more is known than partition values
/// or statistics.
class PartialBatch final : public FileBatch {
 public:
  /// `partitions` has the texts of each partition column, null where no filter looks at them;
  /// `statistics`, null until they are read, those of the columns of `request`; they are indexed.
  /// What it is made from must outlive it. Throws what `NumberPartitions` throws.
  PartialBatch(const TableSchema& table, size_t file_count,
               const std::vector<std::vector<std::string_view>>* partitions,
               FileStatistics* statistics, const FileRequest& request);

  /// There is nothing yet that could be appended.
  void AppendFiles(std::span<const uint32_t> /*positions*/, bool /*column_metrics*/,
                   std::vector<DataFile>* /*files*/) const override {}
  std::optional<int64_t> FileSequenceNumber(size_t /*i*/) const override { return std::nullopt; }
  std::optional<int64_t> SnapshotId(size_t /*i*/) const override { return std::nullopt; }
  bool IsAdded(size_t /*i*/) const override { return false; }
  int64_t memory_bytes() const override { return 0; }

 private:
  PartitionNumbers partitions_;
  std::vector<int64_t> no_counts_;
  MetricColumn unknown_;
};

}  // namespace nunatak::delta
