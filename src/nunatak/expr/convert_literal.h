#pragma once

#include <optional>
#include <string>

#include "nunatak/base/int128.h"
#include "nunatak/expr/expr.h"
#include "nunatak/table/type.h"
#include "nunatak/table/value.h"

namespace nunatak {

/// Where a literal lies among the values of a type, which may not contain it: no rounding, so that
/// a comparison keeps its meaning (`i < 1.5` is `i <= 1`).
struct PlacedLiteral {
  enum class Place {
    kExact,     ///< It is `value`.
    kAfter,     ///< It is above `value` and below every greater value of the type.
    kBelowAll,  ///< It is below every value of the type.
    kAboveAll,  ///< It is above every value of the type, NaN aside.
    kNull,
  };

  Place place = Place::kNull;
  Value value;

  static PlacedLiteral Exact(Value value) { return {Place::kExact, std::move(value)}; }
  /// Places an integer among the values of an integer, date, time or timestamp type. `exact` tells
  /// whether it is the literal itself, or the integer below it.
  static PlacedLiteral OfInteger(const Type& type, Int128 floor, bool exact = true);
};

/// Converts a literal to the type of a column, which is comparable. Text is read as whatever the
/// type is; a number from JSON counts days or micro- or nanoseconds; a zoneless timestamp for a
/// column with zone is UTC; floats and doubles take the nearest number. Nullopt when the literal
/// has no place in the type.
std::optional<PlacedLiteral> ConvertLiteral(const Literal& literal, const Type& type);

/// What to write instead, when `ConvertLiteral` gave nullopt; "" when nothing helps.
std::string LiteralHint(const Literal& literal, const Type& type);

}  // namespace nunatak
