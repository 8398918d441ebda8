#pragma once

#include <cstdint>
#include <span>

#include "nunatak/base/export.h"
#include "nunatak/expr/bound_filter.h"
#include "nunatak/table/value.h"

namespace nunatak {

/// What a statistics source can say; what it does not know stays unknown.
enum class Known : uint8_t { kUnknown, kNo, kYes };

/// What is known of one column over a set of rows: a manifest, a file, a row group, a page …
struct ColumnStats {
  /// No row's value other than null and NaN lies outside [lower, upper]; a kNull view is unknown.
  /// They need not be attained, and need not be in order: an inverted range counts as unknown.
  ValueView lower;
  ValueView upper;
  Known has_nulls = Known::kUnknown;  ///< Is any value null?
  Known all_null = Known::kUnknown;   ///< Are all? (Both are kYes for a column that a file lacks.)
  Known has_nans = Known::kUnknown;
  Known all_nan = Known::kUnknown;  ///< Are all non-null values NaN?
};

/// A set of rows as the evaluator sees it. Bytes in the answers stay valid until the next call.
class NUNATAK_EXPORT StatsSource {
 public:
  virtual ~StatsSource() = default;
  virtual ColumnStats Stats(const BoundFilter::Column& column) const = 0;
};

enum class Mode : uint8_t {
  kInclusive,  ///< May some row match? False only when none can.
  kStrict,     ///< Must every row match? True only when all do.
};

/// The one evaluator of a filter over statistics; its truth table is at the top of evaluate.cc.
NUNATAK_EXPORT bool Evaluate(const BoundFilter& filter, const StatsSource& source, Mode mode);

/// Whether the filter is true for one row (unknown is not true); `row[i]` is the value of
/// `filter.columns[i]`.
NUNATAK_EXPORT bool EvaluateRow(const BoundFilter& filter, std::span<const ValueView> row);

/// Whether one value passes one leaf of the filter: any node of it but `kAnd`, `kOr`, `kTrue` and
/// `kFalse`. Null passes IS NULL alone.
NUNATAK_EXPORT bool EvaluateLeaf(const BoundFilter& filter, const BoundFilter::Node& leaf,
                                 const ValueView& value);

}  // namespace nunatak
