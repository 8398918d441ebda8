#include "nunatak/expr/convert_literal.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "nunatak/base/ascii_case.h"
#include "nunatak/base/bytes.h"
#include "nunatak/expr/decimal_text.h"
#include "nunatak/table/datetime.h"

namespace nunatak {

namespace {

using Kind = Literal::Kind;
using Place = PlacedLiteral::Place;
using Result = std::optional<PlacedLiteral>;

constexpr int64_t kMicrosPerDay = 86'400'000'000;
constexpr int64_t kNanosPerMicro = 1000;
constexpr int kMicroDigits = 6;
constexpr int kNanoDigits = 9;

bool IsNanoseconds(TypeId id) { return id == TypeId::kTimestampNs || id == TypeId::kTimestampTzNs; }
bool HasZone(TypeId id) { return id == TypeId::kTimestampTz || id == TypeId::kTimestampTzNs; }
bool IsThirtyTwoBits(TypeId id) { return id == TypeId::kInt || id == TypeId::kDate; }

Int128 Floor(Int128 a, Int128 b) { return a / b - (a % b < 0 ? 1 : 0); }

PlacedLiteral Beyond(int side) { return {side < 0 ? Place::kBelowAll : Place::kAboveAll, {}}; }

/// ---- numbers -------------------------------------------------------------------------------

bool IsSpecialNumber(std::string_view text) {
  for (std::string_view special : {"NaN", "Infinity", "-Infinity"}) {
    if (EqualsIgnoreCase(text, special)) return true;
  }
  return false;
}

/// From here on, doubles are nearer to infinity than to the greatest float.
constexpr double kRoundsBeyondFloat = 0x1.ffffffp+127;

/// The nearest float or double. A number that is rounded beyond the type's range lies between its
/// greatest number and infinity, or between minus infinity and its least.
Result ToReal(std::string_view text, const Type& type) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr auto kGreatestFloat = static_cast<double>(std::numeric_limits<float>::max());
  if (EqualsIgnoreCase(text, "NaN")) return PlacedLiteral::Exact(Value::Real(std::nan("")));
  if (EqualsIgnoreCase(text, "Infinity")) return PlacedLiteral::Exact(Value::Real(kInfinity));
  if (EqualsIgnoreCase(text, "-Infinity")) return PlacedLiteral::Exact(Value::Real(-kInfinity));
  const std::optional<DecimalText> number = DecimalText::Parse(text);
  if (!number) return std::nullopt;
  const bool single = type.id() == TypeId::kFloat;
  const double greatest = single ? kGreatestFloat : std::numeric_limits<double>::max();
  const double limit = single ? kRoundsBeyondFloat : kInfinity;
  const double nearest = number->Nearest();
  if (nearest >= limit) return PlacedLiteral{Place::kAfter, Value::Real(greatest)};
  if (nearest <= -limit) return PlacedLiteral{Place::kAfter, Value::Real(-kInfinity)};
  const double clamped = std::clamp(nearest, -greatest, greatest);
  return PlacedLiteral::Exact(
      Value::Real(single ? static_cast<double>(static_cast<float>(clamped)) : clamped));
}

Result ToNumber(std::string_view text, const Type& type) {
  if (type.id() == TypeId::kFloat || type.id() == TypeId::kDouble) return ToReal(text, type);
  // NaN is above every number, as infinity is.
  if (IsSpecialNumber(text)) return Beyond(text.starts_with('-') ? -1 : 1);
  const std::optional<DecimalText> number = DecimalText::Parse(text);
  if (!number) return std::nullopt;
  const bool decimal = type.id() == TypeId::kDecimal;
  const DecimalText::Floored floored = number->FloorAtScale(decimal ? type.scale() : 0);
  if (floored.beyond != 0) return Beyond(floored.beyond);
  if (!decimal) return PlacedLiteral::OfInteger(type, floored.value, floored.exact);
  return PlacedLiteral{floored.exact ? Place::kExact : Place::kAfter,
                       Value::Decimal(floored.value)};
}

/// ---- dates and times -----------------------------------------------------------------------

/// A count of days, micro- or nanoseconds from JSON.
Result ToCount(const Literal& literal, const Type& type) {
  if (!literal.from_json) return std::nullopt;
  const std::optional<DecimalText> number = DecimalText::Parse(literal.text);
  if (!number) return std::nullopt;
  const DecimalText::Floored floored = number->FloorAtScale(0);
  if (floored.beyond != 0) return Beyond(floored.beyond);
  return PlacedLiteral::OfInteger(type, floored.value, floored.exact);
}

struct Instant {
  Int128 nanoseconds;
  bool has_zone;
};

/// Any date and time within the range of microseconds, or with more digits within that of
/// nanoseconds.
std::optional<Instant> ParseInstant(std::string_view text) {
  if (const auto micros = ParseTimestamp(text, kMicroDigits)) {
    return Instant{Int128{micros->value} * kNanosPerMicro, micros->has_zone};
  }
  const auto nanos = ParseTimestamp(text, kNanoDigits);
  if (!nanos) return std::nullopt;
  return Instant{nanos->value, nanos->has_zone};
}

/// An instant among the values of a date or timestamp type.
PlacedLiteral PlaceNanoseconds(Int128 nanoseconds, const Type& type) {
  const Int128 unit = type.id() == TypeId::kDate ? Int128{kMicrosPerDay} * kNanosPerMicro
                      : IsNanoseconds(type.id()) ? Int128{1}
                                                 : Int128{kNanosPerMicro};
  const Int128 floor = Floor(nanoseconds, unit);
  return PlacedLiteral::OfInteger(type, floor, floor * unit == nanoseconds);
}

/// A literal with a zone is an instant, which a column without zone does not hold.
Result ToInstant(std::string_view text, const Type& type) {
  const std::optional<Instant> instant = ParseInstant(text);
  if (!instant || (instant->has_zone && !HasZone(type.id()))) return std::nullopt;
  return PlaceNanoseconds(instant->nanoseconds, type);
}

Result ToDate(std::string_view text, const Type& type) {
  const std::optional<int32_t> days = ParseDate(text);
  if (!days) return std::nullopt;
  return PlaceNanoseconds(Int128{*days} * kMicrosPerDay * kNanosPerMicro, type);
}

Result ToDateOrTimestamp(const Literal& literal, const Type& type) {
  switch (literal.kind) {
    case Kind::kNumber:
      return ToCount(literal, type);
    case Kind::kDate:
      return ToDate(literal.text, type);
    case Kind::kTimestamp:
      return ToInstant(literal.text, type);
    case Kind::kText: {
      const Result date = ToDate(literal.text, type);
      return date ? date : ToInstant(literal.text, type);
    }
    default:
      return std::nullopt;
  }
}

Result ToTime(const Literal& literal, const Type& type) {
  if (literal.kind == Kind::kNumber) return ToCount(literal, type);
  if (literal.kind != Kind::kTime && literal.kind != Kind::kText) return std::nullopt;
  const std::optional<int64_t> micros = ParseTime(literal.text);
  if (!micros) return std::nullopt;
  return PlacedLiteral::Exact(Value::Integer(*micros));
}

/// ---- the rest ------------------------------------------------------------------------------

Result ToBoolean(const Literal& literal) {
  if (literal.kind == Kind::kBoolean) return PlacedLiteral::Exact(Value::Integer(literal.boolean));
  if (literal.kind != Kind::kText) return std::nullopt;
  const bool value = EqualsIgnoreCase(literal.text, "true");
  if (!value && !EqualsIgnoreCase(literal.text, "false")) return std::nullopt;
  return PlacedLiteral::Exact(Value::Integer(value));
}

Result ExactBytes(std::optional<std::string> bytes) {
  if (!bytes) return std::nullopt;
  return PlacedLiteral::Exact(Value::Bytes(std::move(*bytes)));
}

/// With hyphens or without any.
Result ToUuid(std::string_view text) {
  constexpr size_t kDigits = 32;
  return ExactBytes(text.size() == kDigits ? ParseHex(text) : ParseUuid(text));
}

Result ToBytes(const Literal& literal, const Type& type) {
  switch (literal.kind) {
    case Kind::kBinary:
      if (type.id() == TypeId::kUuid || type.id() == TypeId::kString) return std::nullopt;
      return ExactBytes(literal.text);
    case Kind::kUuid:
      if (type.id() != TypeId::kUuid) return std::nullopt;
      return ToUuid(literal.text);
    case Kind::kText:
      if (type.id() == TypeId::kString) return ExactBytes(literal.text);
      return type.id() == TypeId::kUuid ? ToUuid(literal.text) : ExactBytes(ParseHex(literal.text));
    default:
      return std::nullopt;
  }
}

}  // namespace

PlacedLiteral PlacedLiteral::OfInteger(const Type& type, Int128 floor, bool exact) {
  const bool narrow = IsThirtyTwoBits(type.id());
  const Int128 least = narrow ? Int128{std::numeric_limits<int32_t>::min()}
                              : Int128{std::numeric_limits<int64_t>::min()};
  const Int128 greatest = narrow ? Int128{std::numeric_limits<int32_t>::max()}
                                 : Int128{std::numeric_limits<int64_t>::max()};
  if (floor < least) return Beyond(-1);
  if (floor > greatest) return Beyond(1);
  return {exact ? Place::kExact : Place::kAfter, Value::Integer(static_cast<int64_t>(floor))};
}

std::optional<PlacedLiteral> ConvertLiteral(const Literal& literal, const Type& type) {
  if (literal.kind == Kind::kNull) return PlacedLiteral{};
  switch (type.id()) {
    case TypeId::kBoolean:
      return ToBoolean(literal);
    case TypeId::kInt:
    case TypeId::kLong:
    case TypeId::kFloat:
    case TypeId::kDouble:
    case TypeId::kDecimal:
      if (literal.kind != Kind::kNumber && literal.kind != Kind::kText) return std::nullopt;
      return ToNumber(literal.text, type);
    case TypeId::kDate:
    case TypeId::kTimestamp:
    case TypeId::kTimestampTz:
    case TypeId::kTimestampNs:
    case TypeId::kTimestampTzNs:
      return ToDateOrTimestamp(literal, type);
    case TypeId::kTime:
      return ToTime(literal, type);
    case TypeId::kString:
    case TypeId::kUuid:
    case TypeId::kFixed:
    case TypeId::kBinary:
      return ToBytes(literal, type);
    default:
      return std::nullopt;
  }
}

std::string LiteralHint(const Literal& literal, const Type& type) {
  switch (type.id()) {
    case TypeId::kBoolean:
      return "write TRUE or FALSE";
    case TypeId::kInt:
    case TypeId::kLong:
    case TypeId::kFloat:
    case TypeId::kDouble:
    case TypeId::kDecimal:
      return "write a number such as 42 or -1.5e3";
    case TypeId::kDate:
      return "write DATE '2024-02-29'";
    case TypeId::kTime:
      return "write TIME '12:30:00'";
    case TypeId::kTimestamp:
    case TypeId::kTimestampNs: {
      const bool textual = literal.kind == Kind::kText || literal.kind == Kind::kTimestamp;
      const std::optional<Instant> instant =
          textual ? ParseInstant(literal.text) : std::optional<Instant>();
      if (instant && instant->has_zone) return "the column has no time zone: leave out the zone";
      return "write TIMESTAMP '2024-02-29 12:30:00'";
    }
    case TypeId::kTimestampTz:
    case TypeId::kTimestampTzNs:
      return "write TIMESTAMP '2024-02-29 12:30:00+00:00'; without a zone it is UTC";
    case TypeId::kString:
      return "text stands in single quotes";
    case TypeId::kUuid:
      return "write UUID '01234567-89ab-cdef-0123-456789abcdef'";
    case TypeId::kFixed:
    case TypeId::kBinary:
      return "write X'00FF', or pairs of hex digits as text";
    default:
      return "";
  }
}

}  // namespace nunatak
