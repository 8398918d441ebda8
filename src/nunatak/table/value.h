#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "nunatak/base/bytes.h"
#include "nunatak/base/export.h"
#include "nunatak/base/int128.h"

namespace nunatak {

class Type;

/// A scalar of some Iceberg type by reference: no allocation, and trivially copyable, so that
/// bounds and partition values are compared where they lie. Bytes are valid as long as what they
/// point to. Which member holds a value follows from its type alone:
///   integer: boolean (0, 1), int, long, date (days), time (µs), timestamp(tz) (µs),
///   timestamp(tz)_ns (ns) real:    float (exact as double), double decimal: the unscaled value
///   bytes:   string (UTF-8), uuid (16 bytes, big-endian), fixed, binary, variant, geometry and
///   geography (WKB)
struct ValueView {
  enum class Kind : uint8_t { kNull, kInteger, kReal, kDecimal, kBytes };

  Kind kind = Kind::kNull;
  union {
    int64_t integer;
    double real;
    Int128 decimal;
    struct {
      const uint8_t* data;
      size_t size;
    } bytes;
  };

  ValueView() : integer(0) {}
  static ValueView Integer(int64_t v);
  static ValueView Real(double v);
  static ValueView Decimal(Int128 v);
  static ValueView Bytes(ByteSpan v);
  static ValueView Bytes(std::string_view v) { return Bytes(AsBytes(v)); }

  bool is_null() const { return kind == Kind::kNull; }
  bool is_nan() const { return kind == Kind::kReal && real != real; }
  ByteSpan span() const { return {bytes.data, bytes.size}; }
  std::string_view text() const { return AsText(span()); }
};

/// An owned value of some Iceberg type, which the value itself does not know: null, one of the
/// forms of `ValueView`, or a list of values (struct: the fields in the type's order; list: the
/// elements; map: one two-element list per entry, key first).
class NUNATAK_EXPORT Value {
 public:
  using List = std::vector<Value>;

  Value() = default;
  static Value Null() { return Value(); }
  static Value Integer(int64_t v) { return Value(Storage(v)); }
  static Value Real(double v) { return Value(Storage(v)); }
  static Value Decimal(Int128 v) { return Value(Storage(v)); }
  static Value Bytes(std::string v) { return Value(Storage(std::move(v))); }
  static Value Nested(List v);
  /// Copies what `view` points to.
  static Value Of(const ValueView& view);

  bool is_null() const { return std::holds_alternative<std::monostate>(storage_); }
  bool is_nested() const;
  int64_t integer() const { return std::get<int64_t>(storage_); }
  double real() const { return std::get<double>(storage_); }
  Int128 decimal() const { return std::get<Int128>(storage_); }
  const std::string& bytes() const { return std::get<std::string>(storage_); }
  const List& list() const;
  /// Not for nested values; valid as long as this value.
  ValueView view() const;

  /// Same form and same content; NaN equals NaN, and −0.0 differs from 0.0. For equality by SQL's
  /// rules use `CompareValues`.
  friend NUNATAK_EXPORT bool operator==(const Value& a, const Value& b);

 private:
  using Storage = std::variant<std::monostate, int64_t, double, Int128, std::string,
                               std::shared_ptr<const List>>;
  explicit Value(Storage storage) : storage_(std::move(storage)) {}

  Storage storage_;
};

/// The form of the values of a type that filters can compare (`Type::is_comparable`).
NUNATAK_EXPORT ValueView::Kind KindOf(const Type& type);

/// The order of values of one primitive type that filters and sort orders share: negative, zero or
/// positive. Integers and decimals by number; reals with −0.0 = 0.0 and NaN equal to itself and
/// above all others; bytes unsigned, a prefix first (the specification's order for strings, UUIDs,
/// fixed and binary). Both must be non-null and of one kind.
NUNATAK_EXPORT int CompareValues(const ValueView& a, const ValueView& b);

}  // namespace nunatak
