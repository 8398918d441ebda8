#include "nunatak/hive/partition_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "nunatak/base/bytes.h"
#include "nunatak/base/error.h"
#include "nunatak/base/int128.h"
#include "nunatak/table/datetime.h"

namespace nunatak::hive {

namespace {

constexpr int kMicroseconds = 6;

std::string_view WithoutPlus(std::string_view text) {
  return text.starts_with('+') && !text.starts_with("+-") ? text.substr(1) : text;
}

template <typename Number>
std::optional<Number> ParseNumber(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

template <typename Number>
std::optional<Number> ParseInteger(std::string_view text) {
  return ParseNumber<Number>(WithoutPlus(text));
}

bool IsWholeNumber(std::string_view text) {
  text = WithoutPlus(text);
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Java's spelling: "NaN" and "Infinity" in this case alone, a suffix "d" or "f", blanks around.
std::optional<double> ParseJavaDouble(std::string_view text) {
  const size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return std::nullopt;
  text = text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
  const bool negative = text.starts_with('-');
  const std::string_view digits = negative ? text.substr(1) : WithoutPlus(text);
  if (digits == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (digits == "Infinity") return negative ? -HUGE_VAL : HUGE_VAL;
  // Where a number must begin, from_chars would read other words too.
  if (digits.empty() || !(digits[0] == '.' || (digits[0] >= '0' && digits[0] <= '9'))) {
    return std::nullopt;
  }
  const bool suffix =
      digits.size() > 1 && std::string_view("dDfF").find(digits.back()) != std::string_view::npos;
  const auto number = ParseNumber<double>(digits.substr(0, digits.size() - (suffix ? 1 : 0)));
  if (!number) return std::nullopt;
  return negative ? -*number : *number;
}

/// A date and a time of day.
std::optional<ParsedTimestamp> ParseInstant(std::string_view text) {
  if (text.find(':') == std::string_view::npos) return std::nullopt;
  return ParseTimestamp(text, kMicroseconds);
}

std::optional<int> DigitsOf(const Type& type) {
  switch (type.id()) {
    case TypeId::kInt:
      return 10;
    case TypeId::kLong:
      return 20;
    case TypeId::kDecimal:
      return type.precision();
    default:
      return std::nullopt;
  }
}

std::optional<Value> Parse(const Type& type, const std::string& text) {
  const auto integer = [](auto number) {
    return number ? std::optional(Value::Integer(*number)) : std::nullopt;
  };
  switch (type.id()) {
    case TypeId::kBoolean:
      if (text != "true" && text != "false") return std::nullopt;
      return Value::Integer(text == "true" ? 1 : 0);
    case TypeId::kInt:
      return integer(ParseInteger<int32_t>(text));
    case TypeId::kLong:
      return integer(ParseInteger<int64_t>(text));
    case TypeId::kFloat:
    case TypeId::kDouble: {
      const std::optional<double> number = ParseJavaDouble(text);
      if (!number) return std::nullopt;
      return Value::Real(type.id() == TypeId::kFloat ? static_cast<float>(*number) : *number);
    }
    case TypeId::kDecimal: {
      const std::optional<Int128> unscaled = ParseDecimal(text, type.scale());
      const Int128 limit = PowerOfTen(type.precision());
      if (!unscaled || *unscaled >= limit || *unscaled <= -limit) return std::nullopt;
      return Value::Decimal(*unscaled);
    }
    case TypeId::kDate:
      return integer(ParseDate(text));
    case TypeId::kTime:
      return integer(ParseTime(text));
    case TypeId::kTimestamp:
    case TypeId::kTimestampTz: {
      const std::optional<ParsedTimestamp> time = ParseTimestamp(text, kMicroseconds);
      if (!time || (time->has_zone && type.id() == TypeId::kTimestamp)) return std::nullopt;
      return Value::Integer(time->value);
    }
    case TypeId::kString:
    case TypeId::kBinary:
      return Value::Bytes(text);
    default:
      return std::nullopt;
  }
}

}  // namespace

Type InferType(std::string_view text) {
  if (ParseInteger<int32_t>(text)) return TypeId::kInt;
  if (ParseInteger<int64_t>(text)) return TypeId::kLong;
  if (IsWholeNumber(text)) {
    const size_t first = std::min(text.find_first_of("123456789"), text.size() - 1);
    if (text.size() - first <= 38) return Type::Decimal(static_cast<int>(text.size() - first), 0);
  }
  if (ParseJavaDouble(text)) return TypeId::kDouble;
  if (ParseInstant(text)) return TypeId::kTimestampTz;
  if (ParseDate(text)) return TypeId::kDate;
  return TypeId::kString;
}

Type WiderType(const Type& a, const Type& b) {
  if (a == b || b.id() == TypeId::kUnknown) return a;
  if (a.id() == TypeId::kUnknown) return b;
  const auto either = [&](TypeId one, TypeId other) {
    return (a.id() == one && b.id() == other) || (a.id() == other && b.id() == one);
  };
  if (either(TypeId::kInt, TypeId::kLong)) return TypeId::kLong;
  if (either(TypeId::kInt, TypeId::kDouble)) return TypeId::kDouble;
  if (either(TypeId::kDate, TypeId::kTimestampTz)) return TypeId::kTimestampTz;
  const std::optional<int> digits_a = DigitsOf(a);
  const std::optional<int> digits_b = DigitsOf(b);
  if (digits_a && digits_b) return Type::Decimal(std::max(*digits_a, *digits_b), 0);
  return TypeId::kString;
}

Value ParseValue(const Type& type, const std::optional<std::string>& text) {
  if (!text) return Value::Null();
  if (std::optional<Value> value = Parse(type, *text)) return *std::move(value);
  ThrowInvalid(fmt::format("'{}' is no {}", ValidUtf8Prefix(*text), type.ToString()),
               "--partition-types COLUMN=string reads the column as text");
}

std::map<std::string, Type> ParsePartitionTypes(std::string_view text) {
  std::map<std::string, Type> types;
  while (!text.empty()) {
    // A decimal's parameters have a comma too.
    size_t end = text.find(',');
    if (text.substr(0, end).find('(') != std::string_view::npos)
      end = text.find(',', text.find(')'));
    const std::string_view item = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    const size_t equals = item.find('=');
    if (equals == 0 || equals == std::string_view::npos) {
      ThrowUsage(fmt::format("--partition-types: '{}' is not of the form COLUMN=TYPE", item),
                 "for example year=int,day=date,code=string");
    }
    try {
      types[std::string(item.substr(0, equals))] = ParsePrimitiveType(item.substr(equals + 1));
    } catch (const Error& error) {
      ThrowUsage(fmt::format("--partition-types: {}", error.message()));
    }
  }
  return types;
}

}  // namespace nunatak::hive
