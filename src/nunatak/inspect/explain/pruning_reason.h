#pragma once

#include <cstdint>
#include <string_view>

#include "nunatak/base/export.h"
#include "nunatak/expr/bound_filter.h"
#include "nunatak/expr/evaluate.h"

namespace nunatak {

/// Why a plan leaves something out.
enum class PruningReason : uint8_t {
  kFilter,            ///< The filter is true of no row whatever.
  kNoLiveFiles,       ///< A manifest that has only DELETED entries.
  kPartitionSummary,  ///< What the manifest list says of a manifest's partitions.
  kPartitionValue,    ///< The partition tuple of a file.
  kNoRows,            ///< A file, or a row group, without rows.
  kBounds,            ///< Bounds of a column.
  kNullCounts,        ///< Counts of nulls and of values: all are null, or none is.
  kNanCounts,         ///< Counts of NaNs.
};

/// "no-live-files", "partition-summary", …
NUNATAK_EXPORT std::string_view ToString(PruningReason reason);

/// Which metrics rule out a term that `source` does not let match.
PruningReason MetricsReason(const BoundFilter& term, const StatsSource& source);

}  // namespace nunatak
