#pragma once

#include <cstdint>
#include <span>

#include "nunatak/base/export.h"
#include "nunatak/table/value.h"

namespace nunatak {

/// A range of values between the bounds of a file, on a line.
struct ValueRange {
  double lower = 0;
  double upper = 0;
};

/// How many ranges lie over each other, counted where a range begins: 1 when no two overlap.
struct OverlapDepth {
  double average = 0;
  int64_t max = 0;
};

/// Takes n log n steps; nothing overlaps among no ranges.
NUNATAK_EXPORT OverlapDepth DepthOf(std::span<const ValueRange> ranges);

/// Where a value of a comparable type lies on a line: order is kept, distances are about right. Of
/// texts and bytes the first six count, so that those that begin alike lie in one place.
NUNATAK_EXPORT double PlaceOf(const ValueView& value);

}  // namespace nunatak
