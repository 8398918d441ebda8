#include "nunatak/delta/partition_value.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "nunatak/base/ascii_case.h"
#include "nunatak/base/error.h"
#include "nunatak/base/int128.h"
#include "nunatak/table/datetime.h"

namespace nunatak::delta {

namespace {

template <typename T>
bool ParseWhole(std::string_view text, T* value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  return error == std::errc() && end == text.data() + text.size();
}

template <typename T>
bool ParseInteger(std::string_view text, ValueView* out) {
  T value = 0;
  if (!ParseWhole(text, &value)) return false;
  *out = ValueView::Integer(value);
  return true;
}

/// A float is parsed as one: by way of a double it might be rounded twice.
template <typename T>
bool ParseReal(std::string_view text, ValueView* out) {
  T value = 0;
  if (!ParseWhole(text, &value)) return false;
  *out = ValueView::Real(value);
  return true;
}

bool ParseBoolean(std::string_view text, ValueView* out) {
  const std::string lower = ToLowerAscii(text);
  *out = ValueView::Integer(lower == "true" ? 1 : 0);
  return lower == "true" || lower == "false";
}

template <typename T>
bool SetIf(const std::optional<T>& value, ValueView* out) {
  if (value) *out = ValueView::Integer(*value);
  return value.has_value();
}

bool ParseInstant(std::string_view text, ValueView* out) {
  const std::optional<ParsedTimestamp> parsed = ParseTimestamp(text, 6);
  if (parsed) *out = ValueView::Integer(parsed->value);
  return parsed.has_value();
}

bool CanPartition(const Type& type) {
  return type.is_comparable() && type.id() != TypeId::kFixed && type.id() != TypeId::kUuid;
}

}  // namespace

bool ParsePrimitive(const Type& type, std::string_view text, ValueView* out) {
  switch (type.id()) {
    case TypeId::kBoolean:
      return ParseBoolean(text, out);
    case TypeId::kInt:
      return ParseInteger<int32_t>(text, out);
    case TypeId::kLong:
      return ParseInteger<int64_t>(text, out);
    case TypeId::kFloat:
      return ParseReal<float>(text, out);
    case TypeId::kDouble:
      return ParseReal<double>(text, out);
    case TypeId::kDecimal: {
      const std::optional<Int128> value = ParseDecimal(text, type.scale());
      if (value) *out = ValueView::Decimal(*value);
      return value.has_value();
    }
    case TypeId::kDate:
      return SetIf(ParseDate(text), out);
    case TypeId::kTimestamp:
    case TypeId::kTimestampTz:
      return ParseInstant(text, out);
    case TypeId::kString:
    case TypeId::kBinary:
      *out = ValueView::Bytes(text);
      return true;
    default:
      return false;
  }
}

ValueView ParsePartitionValue(const Type& type, std::string_view text) {
  if (!CanPartition(type)) {
    ThrowUnsupported(fmt::format("partition columns of type {} are not known", type.ToString()));
  }
  const bool is_text = type.id() == TypeId::kString || type.id() == TypeId::kBinary;
  if (text.empty() && !is_text) return {};
  ValueView value;
  if (!ParsePrimitive(type, text, &value)) {
    ThrowInvalid(fmt::format("the partition value '{}' is no {}", text, type.ToString()));
  }
  return value;
}

}  // namespace nunatak::delta
