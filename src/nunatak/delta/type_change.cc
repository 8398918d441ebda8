#include "nunatak/delta/type_change.h"

#include <fmt/format.h>

#include <string>

#include "nunatak/base/error.h"
#include "nunatak/delta/schema_json.h"

namespace nunatak::delta {

namespace {

/// Whether every value of the decimal type fits into the other.
bool HoldsDecimals(const Type& to, int precision, int scale) {
  return to.scale() >= scale && to.precision() - to.scale() >= precision - scale;
}

}  // namespace

bool IsWidening(const Type& from, const Type& to) {
  if (from.id() == to.id() && from.id() != TypeId::kDecimal) return true;
  switch (from.id()) {
    case TypeId::kUnknown:
      return true;
    case TypeId::kInt:
      return to.id() == TypeId::kLong || to.id() == TypeId::kDouble ||
             (to.id() == TypeId::kDecimal && HoldsDecimals(to, 10, 0));
    case TypeId::kLong:
      return to.id() == TypeId::kDecimal && HoldsDecimals(to, 20, 0);
    case TypeId::kFloat:
      return to.id() == TypeId::kDouble;
    case TypeId::kDate:
      return to.id() == TypeId::kTimestamp;
    case TypeId::kDecimal:
      return to.id() == TypeId::kDecimal && HoldsDecimals(to, from.precision(), from.scale());
    default:
      return false;
  }
}

void RequireKnownTypeChange(Json change) {
  const JsonObject object = change.Object();
  const std::string from = object.String("fromType");
  const std::string to = object.String("toType");
  if (IsWidening(TypeOfName(from), TypeOfName(to))) return;
  ThrowUnsupported(
      fmt::format("the type was changed from {} to {}, which is not supported", from, to));
}

}  // namespace nunatak::delta
