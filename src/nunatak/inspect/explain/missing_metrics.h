#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "nunatak/base/export.h"
#include "nunatak/expr/bound_filter.h"
#include "nunatak/expr/evaluate.h"

namespace nunatak {

/// Metrics that a file lacks.
enum class MetricsKind : uint8_t {
  kNanCounts,   ///< NaN is above every number, and outside of all bounds: one may be there.
  kNullCounts,  ///< A null may be there.
  kBounds,      ///< Any value may be there.
};

/// "nan-counts", "null-counts", "bounds".
NUNATAK_EXPORT std::string_view ToString(MetricsKind kind);

/// For want of what rows cannot be ruled out.
struct MissingMetrics {
  MetricsKind kind = MetricsKind::kBounds;
  /// The column that lacks them.
  std::string column;

  friend bool operator==(const MissingMetrics&, const MissingMetrics&) = default;
};

/// What `source` lacks to rule out `term`, which it lets match: were it known, of a column without
/// NaNs, without nulls, or of nothing but nulls, no row could match. Absent when a value that the
/// statistics do know of may match.
NUNATAK_EXPORT std::optional<MissingMetrics> MissingFor(const BoundFilter& term,
                                                        const StatsSource& source);

}  // namespace nunatak
