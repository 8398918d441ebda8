#pragma once

#include <cstdint>

#include "nunatak/table/type.h"
#include "nunatak/table/value.h"

namespace nunatak {

/// How a bound stands to a value that it must bound.
enum class BoundVerdict : uint8_t {
  kHolds,
  /// Only by the signed order of the two halves in which some writers compare UUIDs.
  kHoldsForSignedUuids,
  kBroken,
};

/// The order of bounds: that of `CompareValues`, but −0.0 comes before 0.0 (specification, "Data
/// File Fields", note 2). Neither value is null or NaN.
int CompareForBounds(const ValueView& a, const ValueView& b);

/// Whether `least` ≤ `most` in the order of bounds of the type.
BoundVerdict CheckOrder(const Type& type, const ValueView& least, const ValueView& most);

}  // namespace nunatak
