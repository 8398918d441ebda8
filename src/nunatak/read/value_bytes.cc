#include "nunatak/read/value_bytes.h"

#include <cstdint>
#include <limits>

namespace nunatak {

namespace {

constexpr char kNull = 0;
constexpr char kValue = 1;

template <typename T>
void AppendRaw(const T& value, size_t size, std::string* out) {
  out->append(reinterpret_cast<const char*>(&value), size);
}

}  // namespace

size_t IntegerWidth(const Type& type) {
  switch (type.id()) {
    case TypeId::kBoolean:
      return 1;
    case TypeId::kInt:
    case TypeId::kDate:
      return 4;
    default:
      return 8;
  }
}

void AppendValueBytes(const ValueView& value, size_t integer_width, std::string* out) {
  out->push_back(value.is_null() ? kNull : kValue);
  switch (value.kind) {
    case ValueView::Kind::kNull:
      return;
    case ValueView::Kind::kInteger:
      return AppendRaw(value.integer, integer_width, out);
    case ValueView::Kind::kReal: {
      const double real = value.is_nan() ? std::numeric_limits<double>::quiet_NaN() : value.real;
      return AppendRaw(real, sizeof(real), out);
    }
    case ValueView::Kind::kDecimal:
      return AppendRaw(value.decimal, sizeof(value.decimal), out);
    case ValueView::Kind::kBytes:
      // The length first: ("a", "bc") is not ("ab", "c").
      AppendRaw(static_cast<uint32_t>(value.bytes.size), sizeof(uint32_t), out);
      out->append(value.text());
      return;
  }
}

}  // namespace nunatak
