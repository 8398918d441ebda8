#include "nunatak/inspect/explain/pruning_reason.h"

#include <algorithm>

#include "nunatak/inspect/explain/filter_terms.h"

namespace nunatak {

std::string_view ToString(PruningReason reason) {
  switch (reason) {
    case PruningReason::kFilter:
      return "filter";
    case PruningReason::kNoLiveFiles:
      return "no-live-files";
    case PruningReason::kPartitionSummary:
      return "partition-summary";
    case PruningReason::kPartitionValue:
      return "partition-value";
    case PruningReason::kNoRows:
      return "no-rows";
    case PruningReason::kBounds:
      return "bounds";
    case PruningReason::kNullCounts:
      return "null-counts";
    case PruningReason::kNanCounts:
      return "nan-counts";
  }
  return "";
}

PruningReason MetricsReason(const BoundFilter& term, const StatsSource& source) {
  PruningReason reason = PruningReason::kNullCounts;
  for (const BoundFilter& leaf : LeavesOf(term)) {
    switch (leaf.nodes[0].op) {
      case Op::kIsNull:
      case Op::kNotNull:
        break;
      case Op::kIsNan:
      case Op::kNotNan:
        reason = PruningReason::kNanCounts;
        break;
      default: {
        const ColumnStats stats = source.Stats(leaf.columns[leaf.nodes[0].column]);
        if (!stats.lower.is_null() || !stats.upper.is_null()) return PruningReason::kBounds;
      }
    }
  }
  return reason;
}

}  // namespace nunatak
