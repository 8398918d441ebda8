#include "nunatak/table/value.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "nunatak/table/type.h"

namespace nunatak {

ValueView ValueView::Integer(int64_t v) {
  ValueView view;
  view.kind = Kind::kInteger;
  view.integer = v;
  return view;
}

ValueView ValueView::Real(double v) {
  ValueView view;
  view.kind = Kind::kReal;
  view.real = v;
  return view;
}

ValueView ValueView::Decimal(Int128 v) {
  ValueView view;
  view.kind = Kind::kDecimal;
  view.decimal = v;
  return view;
}

ValueView ValueView::Bytes(ByteSpan v) {
  ValueView view;
  view.kind = Kind::kBytes;
  view.bytes = {v.data(), v.size()};
  return view;
}

Value Value::Nested(List v) { return Value(Storage(std::make_shared<const List>(std::move(v)))); }

Value Value::Of(const ValueView& view) {
  switch (view.kind) {
    case ValueView::Kind::kNull:
      return Null();
    case ValueView::Kind::kInteger:
      return Integer(view.integer);
    case ValueView::Kind::kReal:
      return Real(view.real);
    case ValueView::Kind::kDecimal:
      return Decimal(view.decimal);
    case ValueView::Kind::kBytes:
      return Bytes(std::string(view.text()));
  }
  return Null();
}

bool Value::is_nested() const {
  return std::holds_alternative<std::shared_ptr<const List>>(storage_);
}

const Value::List& Value::list() const { return *std::get<std::shared_ptr<const List>>(storage_); }

ValueView Value::view() const {
  if (const auto* v = std::get_if<int64_t>(&storage_)) return ValueView::Integer(*v);
  if (const auto* v = std::get_if<double>(&storage_)) return ValueView::Real(*v);
  if (const auto* v = std::get_if<Int128>(&storage_)) return ValueView::Decimal(*v);
  if (const auto* v = std::get_if<std::string>(&storage_)) return ValueView::Bytes(*v);
  return ValueView();
}

bool operator==(const Value& a, const Value& b) {
  if (a.storage_.index() != b.storage_.index()) return false;
  if (a.is_nested()) return a.list() == b.list();
  if (const auto* real = std::get_if<double>(&a.storage_)) {
    if (*real != *real) return b.real() != b.real();
    return std::bit_cast<uint64_t>(*real) == std::bit_cast<uint64_t>(b.real());
  }
  return a.storage_ == b.storage_;
}

namespace {

template <typename T>
int Compare(T a, T b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

int CompareReals(double a, double b) {
  const bool a_nan = a != a;
  const bool b_nan = b != b;
  if (a_nan || b_nan) return Compare<int>(a_nan, b_nan);
  return Compare(a, b);
}

int CompareBytes(ByteSpan a, ByteSpan b) {
  const size_t common = std::min(a.size(), b.size());
  const int order = common == 0 ? 0 : std::memcmp(a.data(), b.data(), common);
  return order != 0 ? order : Compare(a.size(), b.size());
}

}  // namespace

ValueView::Kind KindOf(const Type& type) {
  switch (type.id()) {
    case TypeId::kFloat:
    case TypeId::kDouble:
      return ValueView::Kind::kReal;
    case TypeId::kDecimal:
      return ValueView::Kind::kDecimal;
    case TypeId::kString:
    case TypeId::kUuid:
    case TypeId::kFixed:
    case TypeId::kBinary:
      return ValueView::Kind::kBytes;
    default:
      return ValueView::Kind::kInteger;
  }
}

int CompareValues(const ValueView& a, const ValueView& b) {
  switch (a.kind) {
    case ValueView::Kind::kNull:
      return 0;
    case ValueView::Kind::kInteger:
      return Compare(a.integer, b.integer);
    case ValueView::Kind::kReal:
      return CompareReals(a.real, b.real);
    case ValueView::Kind::kDecimal:
      return Compare(a.decimal, b.decimal);
    case ValueView::Kind::kBytes:
      return CompareBytes(a.span(), b.span());
  }
  return 0;
}

}  // namespace nunatak
