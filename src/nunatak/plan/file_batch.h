#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "nunatak/base/bytes.h"
#include "nunatak/base/export.h"
#include "nunatak/plan/file_scan_task.h"
#include "nunatak/table/data_file.h"

namespace nunatak {

class FileBatch;

/// Which columns of a group's files the planner wants decoded, beyond what it always needs.
struct FileRequest {
  /// Fields whose bounds and counts the filter or the deletes need, ascending and distinct.
  std::vector<int32_t> metric_ids;
  /// Whether files may be appended with their column metrics.
  bool column_metrics = true;
  /// Which files of a batch may be planned, ascending. Sources that keep the columns of their files
  /// apart may ask before they decode all of them, with batches that have no more than partition
  /// tuples, record counts and metrics, and leave out the others (`FileBatch::left_out`). Safe from
  /// any thread; null: all of them are wanted.
  std::function<std::vector<uint32_t>(const FileBatch&)> wanted = nullptr;
};

/// How many files a source left out that were not wanted, by what told so.
struct LeftOutFiles {
  int64_t by_partition = 0;
  int64_t by_metrics = 0;
};

/// The metrics of one field over the files of a batch: binary single values and counts, as
/// recorded.
struct MetricColumn {
  /// Null data: no bound recorded. The bytes lie in `bound_bytes`, one behind the other.
  std::vector<ByteSpan> lower_bounds;
  std::vector<ByteSpan> upper_bounds;
  /// −1: no count recorded (or a negative one, which says nothing).
  std::vector<int64_t> value_counts;
  std::vector<int64_t> null_value_counts;
  std::vector<int64_t> nan_value_counts;
  std::vector<uint8_t> bound_bytes;

  /// Nothing is recorded of so many files.
  static MetricColumn Unknown(size_t files) {
    const std::vector<int64_t> no_counts(files, -1);
    const std::vector<ByteSpan> no_bounds(files);
    return {no_bounds, no_bounds, no_counts, no_counts, no_counts, {}};
  }
};

/// The live files of one group as columns, in the group's order; spans point into memory that the
/// batch keeps alive. Immutable and thread-safe.
class NUNATAK_EXPORT FileBatch {
 public:
  virtual ~FileBatch() = default;

  size_t size() const { return record_counts.size(); }

  std::span<const FileContent> contents;
  std::span<const std::string_view> file_paths;
  /// −1: not recorded.
  std::span<const int64_t> record_counts;
  std::span<const int64_t> file_sizes;
  /// After inheritance; 0 in formats without sequence numbers.
  std::span<const int64_t> data_sequence_numbers;

  /// The group's partition spec; the distinct partition tuples of its files, per field of the spec
  /// one column of values; and per file the number of its tuple.
  int32_t partition_spec_id = 0;
  size_t tuple_count = 0;
  std::vector<std::span<const ValueView>> tuples;
  std::span<const uint32_t> tuple_numbers;

  /// One per requested metric id, in that order.
  std::vector<const MetricColumn*> metrics;
  /// Live files of the group that are not in the batch.
  LeftOutFiles left_out;

  /// Appends the whole entries of files that survived: every field of the specification, `metrics`
  /// and `metric_maps` only with `column_metrics`, which must have been requested.
  virtual void AppendFiles(std::span<const uint32_t> positions, bool column_metrics,
                           std::vector<DataFile>* files) const = 0;
  /// The deletion vector that the file's own entry records, in formats that keep them there rather
  /// than in groups of delete files; null for none.
  virtual std::shared_ptr<const DeleteFile> OwnDeletes(size_t /*i*/) const { return nullptr; }
  /// Null when the format has none.
  virtual std::optional<int64_t> FileSequenceNumber(size_t i) const = 0;
  virtual std::optional<int64_t> SnapshotId(size_t i) const = 0;
  /// Whether this group is where the file was added, rather than carried over from an earlier one.
  virtual bool IsAdded(size_t i) const = 0;
  /// What the batch holds in memory, shared with a cache or not.
  virtual int64_t memory_bytes() const = 0;
};

}  // namespace nunatak
