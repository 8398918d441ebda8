#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "nunatak/table/datetime.h"
#include "nunatak/table/value_json.h"

namespace nunatak {

namespace {

constexpr size_t kUuidLength = 16;

/// The shortest digits that read back as the same number of this width, always with a point or an
/// exponent.
template <typename T>
std::string RealToText(T value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string UuidToText(ByteSpan bytes) {
  if (bytes.size() != kUuidLength) return ToHex(bytes);
  std::string text;
  for (size_t i = 0; i < kUuidLength; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", bytes[i]);
  }
  return text;
}

/// Whether `rest` is the beginning of one UTF-8 character, without its end.
bool IsCutCharacter(std::string_view rest) {
  const auto lead = static_cast<uint8_t>(rest[0]);
  const size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  return lead >= 0xC2 && lead <= 0xF4 && rest.size() < length &&
         std::all_of(
             rest.begin() + 1, rest.end(),
             [](char c) { return (static_cast<uint8_t>(c) & 0xC0) == 0x80; });
}

/// Valid UTF-8 for any bytes: a character cut off at the end is dropped (bounds are truncated), and
/// what is malformed before that shows as replacement characters.
std::string StringToText(std::string_view bytes) {
  std::string text;
  for (;;) {
    const std::string_view valid = ValidUtf8Prefix(bytes);
    text += valid;
    bytes.remove_prefix(valid.size());
    if (bytes.empty() || IsCutCharacter(bytes)) return text;
    text += "\uFFFD";
    bytes.remove_prefix(1);
  }
}

std::string IntegerToText(TypeId id, int64_t value) {
  switch (id) {
    case TypeId::kBoolean:
      return value != 0 ? "true" : "false";
    case TypeId::kDate:
      return FormatDate(value);
    case TypeId::kTime:
      return FormatTime(value);
    case TypeId::kTimestamp:
      return FormatTimestamp(value, 6, false);
    case TypeId::kTimestampTz:
      return FormatTimestamp(value, 6, true);
    case TypeId::kTimestampNs:
      return FormatTimestamp(value, 9, false);
    case TypeId::kTimestampTzNs:
      return FormatTimestamp(value, 9, true);
    default:
      return std::to_string(value);
  }
}

std::string BytesToText(TypeId id, const ValueView& value) {
  if (id == TypeId::kString) return StringToText(value.text());
  // What an unknown transform made is shown as text where it is text.
  const bool text = ValidUtf8Prefix(value.text()).size() == value.text().size();
  if (id == TypeId::kUnknown && text) return std::string(value.text());
  if (id == TypeId::kUuid) return UuidToText(value.span());
  return ToHex(value.span());
}

}  // namespace

std::string ValueToText(const Type& type, const ValueView& value) {
  switch (value.kind) {
    case ValueView::Kind::kNull:
      return "null";
    case ValueView::Kind::kInteger:
      return IntegerToText(type.id(), value.integer);
    case ValueView::Kind::kReal:
      return type.id() == TypeId::kFloat ? RealToText(static_cast<float>(value.real))
                                         : RealToText(value.real);
    case ValueView::Kind::kDecimal:
      return DecimalToString(value.decimal, type.scale());
    case ValueView::Kind::kBytes:
      return BytesToText(type.id(), value);
  }
  return "null";
}

}  // namespace nunatak
