#include "nunatak/read/project/append_value.h"

#include <arrow/array.h>
#include <arrow/builder.h>
#include <arrow/util/decimal.h>
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "nunatak/base/error.h"
#include "nunatak/read/decode/arrow_error.h"
#include "nunatak/table/schema.h"

namespace nunatak {

namespace {

using Kind = ValueView::Kind;

[[noreturn]] void ThrowMismatch(const Type& type) {
  ThrowInvalid(fmt::format("a constant is not a value of type {}", type.ToString()));
}

const ValueView& As(const Type& type, const ValueView& value, Kind kind) {
  if (value.kind != kind) ThrowMismatch(type);
  return value;
}

template <typename Builder, typename Number = int64_t>
void AppendInteger(const Type& type, const ValueView& value, arrow::ArrayBuilder& builder) {
  const int64_t number = As(type, value, Kind::kInteger).integer;
  if (number < std::numeric_limits<Number>::min() || number > std::numeric_limits<Number>::max()) {
    ThrowMismatch(type);
  }
  CheckOk(static_cast<Builder&>(builder).Append(static_cast<Number>(number)));
}

void AppendFloat(const Type& type, const ValueView& value, arrow::ArrayBuilder& builder) {
  const double number = As(type, value, Kind::kReal).real;
  if (std::isfinite(number) && std::fabs(number) > std::numeric_limits<float>::max()) {
    ThrowMismatch(type);
  }
  CheckOk(static_cast<arrow::FloatBuilder&>(builder).Append(static_cast<float>(number)));
}

void AppendDecimal(const Type& type, const ValueView& value, arrow::ArrayBuilder& builder) {
  const Int128 number = As(type, value, Kind::kDecimal).decimal;
  const Int128 bound = PowerOfTen(type.precision());
  if (number >= bound || number <= -bound) ThrowMismatch(type);
  CheckOk(static_cast<arrow::Decimal128Builder&>(builder).Append(
      arrow::Decimal128(static_cast<int64_t>(number >> 64), static_cast<uint64_t>(number))));
}

void AppendFixed(const Type& type, const ValueView& value, arrow::ArrayBuilder& builder) {
  const std::string_view bytes = As(type, value, Kind::kBytes).text();
  const int32_t width = type.id() == TypeId::kUuid ? 16 : type.length();
  if (bytes.size() != static_cast<size_t>(width)) ThrowMismatch(type);
  CheckOk(static_cast<arrow::FixedSizeBinaryBuilder&>(builder).Append(bytes));
}

void AppendStruct(const Type& type, const Value& value, arrow::ArrayBuilder& builder) {
  auto& structs = static_cast<arrow::StructBuilder&>(builder);
  CheckOk(structs.Append());
  for (size_t i = 0; i < type.fields().size(); ++i) {
    AppendValue(type.fields()[i].type, FieldValue(type, value, i),
                *structs.field_builder(static_cast<int>(i)));
  }
}

void AppendList(const Type& type, const Value& value, arrow::ArrayBuilder& builder) {
  auto& lists = static_cast<arrow::ListBuilder&>(builder);
  CheckOk(lists.Append());
  for (const Value& element : value.list()) {
    AppendValue(type.element().type, element, *lists.value_builder());
  }
}

void AppendMap(const Type& type, const Value& value, arrow::ArrayBuilder& builder) {
  auto& maps = static_cast<arrow::MapBuilder&>(builder);
  CheckOk(maps.Append());
  for (const Value& entry : value.list()) {
    if (!entry.is_nested() || entry.list().size() != 2 || entry.list()[0].is_null()) {
      ThrowMismatch(type);
    }
    AppendValue(type.key().type, entry.list()[0], *maps.key_builder());
    AppendValue(type.value().type, entry.list()[1], *maps.item_builder());
  }
}

void AppendNested(const Type& type, const Value& value, arrow::ArrayBuilder& builder) {
  if (!value.is_nested()) ThrowMismatch(type);
  if (type.id() == TypeId::kStruct) return AppendStruct(type, value, builder);
  if (type.id() == TypeId::kList) return AppendList(type, value, builder);
  AppendMap(type, value, builder);
}

}  // namespace

/// A field of a struct that the struct does not give has its own default.
Value FieldValue(const Type& type, const Value& value, size_t i) {
  if (!value.is_nested()) ThrowMismatch(type);
  if (i < value.list().size() && !value.list()[i].is_null()) return value.list()[i];
  return type.fields()[i].initial_default.value_or(Value::Null());
}

void AppendScalar(const Type& type, const ValueView& value, arrow::ArrayBuilder& builder) {
  if (value.is_null()) return CheckOk(builder.AppendNull());
  switch (type.id()) {
    case TypeId::kBoolean:
      return CheckOk(static_cast<arrow::BooleanBuilder&>(builder).Append(
          As(type, value, Kind::kInteger).integer != 0));
    case TypeId::kInt:
      return AppendInteger<arrow::Int32Builder, int32_t>(type, value, builder);
    case TypeId::kDate:
      return AppendInteger<arrow::Date32Builder, int32_t>(type, value, builder);
    case TypeId::kLong:
      return AppendInteger<arrow::Int64Builder>(type, value, builder);
    case TypeId::kTime:
      return AppendInteger<arrow::Time64Builder>(type, value, builder);
    case TypeId::kTimestamp:
    case TypeId::kTimestampTz:
    case TypeId::kTimestampNs:
    case TypeId::kTimestampTzNs:
      return AppendInteger<arrow::TimestampBuilder>(type, value, builder);
    case TypeId::kFloat:
      return AppendFloat(type, value, builder);
    case TypeId::kDouble:
      return CheckOk(
          static_cast<arrow::DoubleBuilder&>(builder).Append(As(type, value, Kind::kReal).real));
    case TypeId::kDecimal:
      return AppendDecimal(type, value, builder);
    case TypeId::kString:
    case TypeId::kBinary:
    case TypeId::kGeometry:
    case TypeId::kGeography:
      return CheckOk(
          static_cast<arrow::BinaryBuilder&>(builder).Append(As(type, value, Kind::kBytes).text()));
    case TypeId::kUuid:
    case TypeId::kFixed:
      return AppendFixed(type, value, builder);
    case TypeId::kStruct:
    case TypeId::kList:
    case TypeId::kMap:
    case TypeId::kUnknown:
    case TypeId::kVariant:
      ThrowMismatch(type);
  }
}

void AppendValue(const Type& type, const Value& value, arrow::ArrayBuilder& builder) {
  if (value.is_null()) return CheckOk(builder.AppendNull());
  if (type.is_nested()) return AppendNested(type, value, builder);
  if (value.is_nested()) ThrowMismatch(type);
  AppendScalar(type, value.view(), builder);
}

}  // namespace nunatak
