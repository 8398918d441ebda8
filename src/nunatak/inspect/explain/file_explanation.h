#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/expr/bound_filter.h"
#include "nunatak/expr/evaluate.h"
#include "nunatak/inspect/explain/missing_metrics.h"
#include "nunatak/plan/file_scan_task.h"
#include "nunatak/plan/snapshot_source.h"

namespace nunatak {

/// What is known of one column over a set of rows, as text.
struct StatsText {
  /// The partition field ("country", "day(ordered_at)") or the column.
  std::string column;
  /// Absent where unknown.
  std::optional<std::string> lower;
  std::optional<std::string> upper;
  /// "some", "none", "all"; absent where unknown.
  std::optional<std::string_view> nulls;
  std::optional<std::string_view> nans;
};

/// One leaf of the filter, held against one level of metadata.
struct LeafVerdict {
  /// "partition-summary", "partition-value", "metrics".
  std::string_view level;
  /// What the leaf looked at; none when the level says nothing of its column.
  std::vector<StatsText> stats;
  bool may_match = true;
  /// For want of what it may; absent when a value that the level does know of may match.
  std::optional<MissingMetrics> missing = std::nullopt;
};

struct LeafExplanation {
  std::string leaf;
  std::vector<LeafVerdict> verdicts;
};

/// A delete file of the snapshot, and whether it applies to the file.
struct DeleteVerdict {
  std::shared_ptr<const DeleteFile> file;
  bool applies = false;
  /// In words: "written in the same commit or later", "of another partition", …
  std::string reason;
};

/// Why one data file is read, or is not.
struct NUNATAK_EXPORT FileExplanation {
  DataFile file;
  int64_t data_sequence_number = 0;
  std::optional<int64_t> snapshot_id;
  std::shared_ptr<const PartitionSpec> spec;
  /// The levels at which the filter as a whole rules the file out, in the order of the planner, or
  /// "filter" when no row at all passes it; the file is planned when there is none.
  std::vector<std::string_view> pruned_by;
  std::vector<LeafExplanation> leaves;
  /// What is left of the filter for its rows.
  std::string residual;
  /// Those that apply come first.
  std::vector<DeleteVerdict> deletes;

  bool planned() const { return pruned_by.empty(); }
};

/// Explains the live data file whose path is `path`, or ends in it: a whole file name is enough.
/// Throws `ErrorCode::kNotFound` when the snapshot has none, and `kUsage` when it has several.
NUNATAK_EXPORT FileExplanation ExplainFile(const Context& context,
                                           const std::shared_ptr<const SnapshotSource>& source,
                                           const BoundFilter& filter, std::string_view path);

}  // namespace nunatak
