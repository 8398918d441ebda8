#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "nunatak/base/bytes.h"
#include "nunatak/base/export.h"
#include "nunatak/table/data_file.h"

namespace nunatak {

/// Which columns of a group's files the planner wants decoded.
struct FileRequest {
  /// Fields whose bounds and counts the filter needs, ascending.
  std::vector<int32_t> metric_ids;
  /// The partition tuples, for pruning by them.
  bool partitions = false;
};

/// The metrics of one field over the files of a batch: binary single values and counts, as
/// recorded.
struct MetricColumn {
  int32_t field_id = 0;
  /// Null data: no bound recorded.
  std::vector<ByteSpan> lower_bounds;
  std::vector<ByteSpan> upper_bounds;
  /// −1: no count recorded (or a negative one, which says nothing).
  std::vector<int64_t> value_counts;
  std::vector<int64_t> null_value_counts;
  std::vector<int64_t> nan_value_counts;
};

/// The live files of one group as columns, in the group's order; spans point into memory that the
/// batch keeps alive. Immutable and thread-safe.
class NUNATAK_EXPORT FileBatch {
 public:
  virtual ~FileBatch() = default;

  size_t size() const { return record_counts.size(); }

  std::vector<FileContent> contents;
  std::vector<int64_t> record_counts;
  std::vector<int64_t> file_sizes;
  /// After inheritance; 0 in formats without sequence numbers.
  std::vector<int64_t> data_sequence_numbers;
  /// The group's partition spec, and per field of it one column of values (when asked for).
  int32_t partition_spec_id = 0;
  std::vector<std::vector<ValueView>> partitions;
  /// One per requested metric id, in that order.
  std::vector<MetricColumn> metrics;

  /// The whole entry, for a file that survived: every field of the specification.
  virtual DataFile File(size_t i) const = 0;
  /// Null when the format has none.
  virtual std::optional<int64_t> FileSequenceNumber(size_t i) const = 0;
  virtual std::optional<int64_t> SnapshotId(size_t i) const = 0;
};

}  // namespace nunatak
