#include "nunatak/table/value_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/table/datetime.h"
#include "nunatak/table/schema.h"
#include "nunatak/table/wkt.h"

namespace nunatak {

using nlohmann::ordered_json;

namespace {

[[noreturn]] void ThrowNotA(const Type& type, std::string_view text) {
  ThrowInvalid(fmt::format("'{}' is not a value of type {}", text, type.ToString()));
}

Value RealFromJson(const Type& type, Json json) {
  if (json.IsString()) {
    const std::string_view text = json.String();
    if (text == "NaN") return Value::Real(std::numeric_limits<double>::quiet_NaN());
    if (text == "Infinity") return Value::Real(std::numeric_limits<double>::infinity());
    if (text == "-Infinity") return Value::Real(-std::numeric_limits<double>::infinity());
  }
  const double value = json.Double();
  if (type.id() == TypeId::kDouble) return Value::Real(value);
  // The greatest float's own shortest digits, 3.4028235e38, are a little above it and round to it.
  constexpr double kRoundsBeyondFloat = 0x1.ffffffp+127;
  constexpr auto kGreatest = static_cast<double>(std::numeric_limits<float>::max());
  if (std::abs(value) >= kRoundsBeyondFloat) ThrowNotA(type, json.ToText());
  const auto nearest = static_cast<float>(std::clamp(value, -kGreatest, kGreatest));
  return Value::Real(static_cast<double>(nearest));
}

Value DecimalFromText(const Type& type, std::string_view text) {
  const std::optional<Int128> unscaled = ParseDecimal(text, type.scale());
  const Int128 limit = PowerOfTen(type.precision());
  if (!unscaled || *unscaled >= limit || *unscaled <= -limit) ThrowNotA(type, text);
  return Value::Decimal(*unscaled);
}

Value TimestampFromText(const Type& type, std::string_view text) {
  const bool nanoseconds = type.id() == TypeId::kTimestampNs || type.id() == TypeId::kTimestampTzNs;
  const bool zone = type.id() == TypeId::kTimestampTz || type.id() == TypeId::kTimestampTzNs;
  const std::optional<ParsedTimestamp> parsed = ParseTimestamp(text, nanoseconds ? 9 : 6);
  if (!parsed || parsed->has_zone != zone) ThrowNotA(type, text);
  return Value::Integer(parsed->value);
}

template <typename T>
Value IntegerOr(const Type& type, std::string_view text, std::optional<T> parsed) {
  if (!parsed) ThrowNotA(type, text);
  return Value::Integer(*parsed);
}

Value BytesOr(const Type& type, std::string_view text, std::optional<std::string> parsed) {
  const bool fits = parsed && (type.id() != TypeId::kFixed ||
                               parsed->size() == static_cast<size_t>(type.length()));
  if (!fits) ThrowNotA(type, text);
  return Value::Bytes(*std::move(parsed));
}

Value PartFromJson(const Field& field, Json json) {
  if (json.IsNull() && field.required) {
    ThrowInvalid(fmt::format("'{}' is required and must not be null", field.name));
  }
  return ValueFromJson(field.type, json);
}

Value ListFromJson(const Field& element, Json json) {
  Value::List values;
  json.Array().ForEach([&](Json item) { values.push_back(PartFromJson(element, item)); });
  return Value::Nested(std::move(values));
}

Value StructFromJson(const Type& type, Json json) {
  const JsonObject object = json.Object();
  Value::List values;
  for (const Field& field : type.fields()) {
    const std::string key = std::to_string(field.id);
    const std::optional<Json> part = object.Find(key);
    if (!part && field.required) {
      ThrowInvalid(fmt::format("field {} ('{}') is required", field.id, field.name));
    }
    values.push_back(part ? WithContext(key, [&] { return PartFromJson(field, *part); })
                          : Value::Null());
  }
  return Value::Nested(std::move(values));
}

Value MapFromJson(const Type& type, Json json) {
  const JsonObject object = json.Object();
  const Value keys =
      WithContext("keys", [&] { return ListFromJson(type.key(), object.At("keys")); });
  const Value values =
      WithContext("values", [&] { return ListFromJson(type.value(), object.At("values")); });
  if (keys.list().size() != values.list().size()) {
    ThrowInvalid(
        fmt::format("a map has {} keys and {} values", keys.list().size(), values.list().size()));
  }
  Value::List entries;
  for (size_t i = 0; i < keys.list().size(); ++i) {
    entries.push_back(Value::Nested({keys.list()[i], values.list()[i]}));
  }
  return Value::Nested(std::move(entries));
}

}  // namespace

Value ValueFromJson(const Type& type, Json json) {
  if (json.IsNull()) return Value::Null();
  switch (type.id()) {
    case TypeId::kUnknown:
      ThrowInvalid("a value of type unknown can only be null");
    case TypeId::kBoolean:
      return Value::Integer(json.Bool() ? 1 : 0);
    case TypeId::kInt:
      return Value::Integer(json.Int32());
    case TypeId::kLong:
      return Value::Integer(json.Int64());
    case TypeId::kFloat:
    case TypeId::kDouble:
      return RealFromJson(type, json);
    case TypeId::kDecimal:
      return DecimalFromText(type, json.String());
    case TypeId::kDate:
      return IntegerOr(type, json.String(), ParseDate(json.String()));
    case TypeId::kTime:
      return IntegerOr(type, json.String(), ParseTime(json.String()));
    case TypeId::kTimestamp:
    case TypeId::kTimestampTz:
    case TypeId::kTimestampNs:
    case TypeId::kTimestampTzNs:
      return TimestampFromText(type, json.String());
    case TypeId::kString:
      return Value::Bytes(std::string(json.String()));
    case TypeId::kUuid:
      return BytesOr(type, json.String(), ParseUuid(json.String()));
    case TypeId::kFixed:
    case TypeId::kBinary:
      return BytesOr(type, json.String(), ParseHex(json.String()));
    case TypeId::kGeometry:
    case TypeId::kGeography:
      return BytesOr(type, json.String(), WkbFromWkt(json.String()));
    case TypeId::kVariant:
      ThrowUnsupported("the specification has no JSON single value of type variant");
    case TypeId::kStruct:
      return StructFromJson(type, json);
    case TypeId::kList:
      return ListFromJson(type.element(), json);
    case TypeId::kMap:
      return MapFromJson(type, json);
  }
  return Value::Null();
}

namespace {

/// The two forms of JSON that differ in the keys of structs and in geometries.
enum class Form { kSingleValue, kCell };

/// Floats print their own shortest digits, not those of the double that holds them exactly.
ordered_json RealToJson(const Type& type, const ValueView& value) {
  const std::string text = ValueToText(type, value);
  if (!std::isfinite(value.real)) return text;
  double number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

ordered_json GeometryToJson(const Type& type, const ValueView& value) {
  std::optional<std::string> wkt = WktFromWkb(value.span());
  if (!wkt) ThrowInvalid(fmt::format("not the well-known binary form of a {}", type.ToString()));
  return *std::move(wkt);
}

/// Numbers and booleans as themselves, all else as the text that people see too.
ordered_json PrimitiveToJson(const Type& type, const ValueView& value) {
  if (value.kind == ValueView::Kind::kReal) return RealToJson(type, value);
  if (value.kind == ValueView::Kind::kInteger) {
    if (type.id() == TypeId::kBoolean) return value.integer != 0;
    const bool number = type.id() <= TypeId::kLong;
    if (number) return value.integer;
  }
  return ValueToText(type, value);
}

ordered_json WriteValue(const Type& type, const Value& value, Form form);

ordered_json StructToJson(const Type& type, const Value::List& values, Form form) {
  ordered_json object = ordered_json::object();
  for (size_t i = 0; i < type.fields().size(); ++i) {
    const Field& field = type.fields()[i];
    const std::string key = form == Form::kSingleValue ? std::to_string(field.id) : field.name;
    object[key] = WriteValue(field.type, values.at(i), form);
  }
  return object;
}

ordered_json ListToJson(const Type& type, const Value::List& values, Form form) {
  ordered_json array = ordered_json::array();
  for (const Value& value : values) {
    array.push_back(WriteValue(type.element().type, value, form));
  }
  return array;
}

ordered_json MapToJson(const Type& type, const Value::List& entries, Form form) {
  ordered_json key_array = ordered_json::array();
  ordered_json value_array = ordered_json::array();
  for (const Value& entry : entries) {
    key_array.push_back(WriteValue(type.key().type, entry.list().at(0), form));
    value_array.push_back(WriteValue(type.value().type, entry.list().at(1), form));
  }
  return {{"keys", std::move(key_array)}, {"values", std::move(value_array)}};
}

ordered_json WriteValue(const Type& type, const Value& value, Form form) {
  if (value.is_null()) return nullptr;
  switch (type.id()) {
    case TypeId::kStruct:
      return StructToJson(type, value.list(), form);
    case TypeId::kList:
      return ListToJson(type, value.list(), form);
    case TypeId::kMap:
      return MapToJson(type, value.list(), form);
    case TypeId::kGeometry:
    case TypeId::kGeography:
      if (form == Form::kCell) break;
      return GeometryToJson(type, value.view());
    default:
      break;
  }
  return PrimitiveToJson(type, value.view());
}

}  // namespace

ordered_json ValueToJson(const Type& type, const Value& value) {
  return WriteValue(type, value, Form::kSingleValue);
}

ordered_json ValueToCell(const Type& type, const Value& value) {
  return WriteValue(type, value, Form::kCell);
}

}  // namespace nunatak
