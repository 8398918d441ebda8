#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "nunatak/inspect/overlap_depth.h"

namespace nunatak {

/// Adds what a table claims of itself: nothing when it is negative, and never beyond 63 bits.
inline void AddClaimed(int64_t claimed, int64_t* sum) {
  if (claimed > 0 && __builtin_add_overflow(*sum, claimed, sum)) {
    *sum = std::numeric_limits<int64_t>::max();
  }
}

/// The sizes that writers aim at, by the table's properties.
struct TargetSizes {
  /// `write.target-file-size-bytes`.
  int64_t data_file_bytes = int64_t{512} << 20;
  /// Data files below it are small: three quarters of the target, as compaction has it.
  int64_t small_file_bytes() const { return data_file_bytes - data_file_bytes / 4; }
};

/// The data files of one partition.
struct PartitionFigures {
  /// "ts_day=2011-09-11/id_bucket=8"; "" when the spec has no fields.
  std::string name;
  int32_t spec_id = 0;
  int64_t files = 0;
  int64_t bytes = 0;
  int64_t records = 0;
  int64_t small_files = 0;
  int64_t small_bytes = 0;

  void Merge(const PartitionFigures& other);
};

/// Files by powers of two of their size: bucket i holds those of [2^i, 2^(i+1)) bytes, the first
/// one empty files too.
inline constexpr size_t kSizeBuckets = 63;

struct DataFileFigures {
  int64_t files = 0;
  int64_t bytes = 0;
  int64_t records = 0;
  int64_t small_files = 0;
  std::array<int64_t, kSizeBuckets> by_size = {};
  std::map<int32_t, int64_t> files_by_spec;
  /// By a key that tells partitions apart, of all specs.
  std::map<std::string, PartitionFigures> partitions;

  void Merge(DataFileFigures&& other);
};

/// Data files by how many delete files apply to each: none, 1, 2 to 4, 5 to 9, 10 and more.
inline constexpr size_t kDeleteBuckets = 5;

struct DeleteFigures {
  int64_t position_files = 0;
  int64_t position_records = 0;
  int64_t vectors = 0;
  int64_t vector_records = 0;
  int64_t equality_files = 0;
  int64_t equality_records = 0;
  /// Pairs of a data file and a delete file that applies to it.
  int64_t references = 0;
  int64_t max_per_data_file = 0;
  std::array<int64_t, kDeleteBuckets> data_files_by_deletes = {};
  /// Delete files that apply to no live data file, and their records.
  int64_t dangling_files = 0;
  int64_t dangling_records = 0;

  /// Records of the position delete files and vectors that apply: about as many rows are deleted.
  int64_t deleted_rows = 0;

  int64_t files() const { return position_files + vectors + equality_files; }
};

struct ManifestFigures {
  int64_t data_manifests = 0;
  int64_t delete_manifests = 0;
  int64_t bytes = 0;
  int64_t max_bytes = 0;
  /// Live files of the manifest that has most of them, as far as the counts are known.
  int64_t max_files = 0;
  /// Those of fewer than 10 files and less than 1 MiB.
  int64_t small = 0;
  /// Those of more than 50 MiB.
  int64_t big = 0;

  int64_t count() const { return data_manifests + delete_manifests; }
};

/// What bounds of one column are worth, over a sample of the data files.
struct ColumnFigures {
  std::string name;
  int32_t field_id = 0;
  /// Files of the sample with both bounds; those that have nothing to bound (no rows, nothing but
  /// nulls and NaNs, older than the column, or of one partition value); and those that lack bounds.
  int64_t with_bounds = 0;
  int64_t without_values = 0;
  int64_t missing = 0;
  /// Files whose bounds were truncated to the same text.
  int64_t truncated = 0;
  /// Whether the writer was told not to keep bounds (`write.metadata.metrics.…`).
  bool bounds_off = false;
  /// Of the ranges of all data files, estimated from those of the sample.
  OverlapDepth depth;
  /// The part of the files with bounds that hold a typical value of the column; 0 without any.
  double overlap = 0;
  /// Whether the first field of the table's sort order is this column.
  bool leads_sort_order = false;
};

struct SnapshotFigures {
  int64_t snapshots = 0;
  /// Those that expiring by the table's own retention properties would remove now.
  int64_t expired = 0;
  /// Times of commits in milliseconds, ascending.
  std::vector<int64_t> commits_ms;
  /// Commits in the 24 hours up to the last one.
  int64_t commits_of_last_day = 0;
};

struct MetadataFigures {
  int64_t bytes = 0;
  int64_t log_entries = 0;
  /// Earlier metadata files that still exist, and what they take.
  int64_t old_files = 0;
  int64_t old_bytes = 0;
  int64_t previous_versions_max = 100;
  bool delete_after_commit = false;
};

/// How far the newest statistics are behind.
struct StatisticsFigures {
  int64_t snapshot_id = 0;
  /// Snapshots between them and the current one; absent when they are of no ancestor of it.
  std::optional<int64_t> snapshots_behind;
  /// By how much the number of records changed, as a part of what it was; absent when unknown.
  std::optional<double> records_changed;
};

struct OrphanFigures {
  int64_t listed_files = 0;
  int64_t listed_bytes = 0;
  int64_t files = 0;
  int64_t bytes = 0;
  /// Some of them.
  std::vector<std::string> examples;
};

/// What was measured of a table: what its findings follow from.
struct TableFigures {
  TargetSizes targets;
  int32_t default_spec_id = 0;
  bool partitioned = false;
  DataFileFigures data;
  DeleteFigures deletes;
  ManifestFigures manifests;
  /// Data files whose column metrics were looked at.
  int64_t sampled_files = 0;
  std::vector<ColumnFigures> columns;
  SnapshotFigures snapshots;
  MetadataFigures metadata;
  /// Absent without statistics, or when they are of the current snapshot.
  std::optional<StatisticsFigures> stale_statistics;
  /// Absent unless the storage was listed.
  std::optional<OrphanFigures> orphans;
};

}  // namespace nunatak
