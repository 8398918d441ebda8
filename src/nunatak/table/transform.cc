#include "nunatak/table/transform.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <limits>
#include <utility>

#include "nunatak/base/ascii_case.h"
#include "nunatak/base/error.h"
#include "nunatak/base/hash.h"
#include "nunatak/table/datetime.h"

namespace nunatak {

namespace {

/// Indexed by `TransformId`; an unknown transform prints its own text.
constexpr std::array<std::string_view, 8> kNames = {"identity", "bucket", "truncate", "year",
                                                    "month",    "day",    "hour",     "void"};

bool HasParameter(TransformId id) {
  return id == TransformId::kBucket || id == TransformId::kTruncate;
}

/// The positive number between the brackets of "bucket[16]".
int32_t ParseParameter(std::string_view text, std::string_view brackets) {
  int32_t value = 0;
  if (brackets.size() > 2 && brackets.back() == ']') {
    const char* end = brackets.data() + brackets.size() - 1;
    const auto [stop, code] = std::from_chars(brackets.data() + 1, end, value);
    if (code == std::errc() && stop == end && value > 0) return value;
  }
  ThrowInvalid(fmt::format("transform '{}' needs a number from 1 to {} in brackets", text,
                           std::numeric_limits<int32_t>::max()));
}

}  // namespace

Transform Transform::Parse(std::string_view text) {
  const size_t bracket = text.find('[');
  const std::string name = ToLowerAscii(text.substr(0, bracket));
  for (size_t i = 0; i < kNames.size(); ++i) {
    const auto id = static_cast<TransformId>(i);
    if (name != kNames[i] || HasParameter(id) != (bracket != std::string_view::npos)) continue;
    return Transform(id, HasParameter(id) ? ParseParameter(text, text.substr(bracket)) : 0);
  }
  return Unknown(std::string(text));
}

Transform Transform::Unknown(std::string text) {
  Transform transform(TransformId::kUnknown);
  transform.unknown_name_ = std::move(text);
  return transform;
}

std::string Transform::ToString() const {
  if (id_ == TransformId::kUnknown) return unknown_name_;
  const std::string_view name = kNames[static_cast<size_t>(id_)];
  return HasParameter(id_) ? fmt::format("{}[{}]", name, parameter_) : std::string(name);
}

namespace {

bool IsTimestamp(TypeId id) {
  return id == TypeId::kTimestamp || id == TypeId::kTimestampTz || id == TypeId::kTimestampNs ||
         id == TypeId::kTimestampTzNs;
}

bool IsNanoseconds(TypeId id) { return id == TypeId::kTimestampNs || id == TypeId::kTimestampTzNs; }

bool CanBucket(TypeId id) {
  return id == TypeId::kInt || id == TypeId::kLong || id == TypeId::kDecimal ||
         (id >= TypeId::kDate && id <= TypeId::kBinary);
}

bool CanTruncate(TypeId id) {
  return id == TypeId::kInt || id == TypeId::kLong || id == TypeId::kDecimal ||
         id == TypeId::kString || id == TypeId::kBinary;
}

}  // namespace

bool Transform::CanTransform(const Type& source) const {
  switch (id_) {
    case TransformId::kIdentity:
      return source.is_comparable() || source.id() == TypeId::kUnknown;
    case TransformId::kBucket:
      return CanBucket(source.id());
    case TransformId::kTruncate:
      return CanTruncate(source.id());
    case TransformId::kYear:
    case TransformId::kMonth:
    case TransformId::kDay:
      return source.id() == TypeId::kDate || IsTimestamp(source.id());
    case TransformId::kHour:
      return IsTimestamp(source.id());
    case TransformId::kVoid:
    case TransformId::kUnknown:
      return true;
  }
  return false;
}

Type Transform::ResultType(const Type& source) const {
  switch (id_) {
    case TransformId::kIdentity:
    case TransformId::kTruncate:
    case TransformId::kVoid:
      return source;
    case TransformId::kBucket:
    case TransformId::kYear:
    case TransformId::kMonth:
    case TransformId::kHour:
      return TypeId::kInt;
    case TransformId::kDay:
      return TypeId::kDate;
    case TransformId::kUnknown:
      return TypeId::kString;
  }
  return TypeId::kUnknown;
}

bool Transform::PreservesOrder() const {
  return id_ != TransformId::kBucket && id_ != TransformId::kVoid && id_ != TransformId::kUnknown;
}

namespace {

__extension__ using UInt128 = unsigned __int128;

constexpr int64_t kMicrosPerHour = 3'600'000'000;
constexpr int64_t kHoursPerDay = 24;
constexpr int64_t kEpochYear = 1970;

int64_t FloorHours(TypeId source, int64_t value) {
  return FloorDivide(value, IsNanoseconds(source) ? kMicrosPerHour * 1000 : kMicrosPerHour);
}

int64_t FloorDays(TypeId source, int64_t value) {
  if (source == TypeId::kDate) return value;
  return FloorDivide(FloorHours(source, value), kHoursPerDay);
}

int64_t MonthsSinceEpoch(int64_t days) {
  const CivilDate date = CivilFromDays(days);
  return (date.year - kEpochYear) * 12 + date.month - 1;
}

/// The distance of `value` down to the next multiple of `width`: 0 ≤ result < width.
template <typename T>
T Remainder(T value, int32_t width) {
  const T remainder = value % width;
  return remainder < 0 ? remainder + width : remainder;
}

Int128 TruncateDecimal(Int128 value, int32_t width) {
  return static_cast<Int128>(static_cast<UInt128>(value) -
                             static_cast<UInt128>(Remainder(value, width)));
}

/// Cuts after `count` code points; what is not UTF-8 is cut at some byte.
ByteSpan TruncateString(ByteSpan text, int32_t count) {
  int64_t characters = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool starts_character = (text[i] & 0xC0) != 0x80;
    if (starts_character && ++characters > count) return text.first(i);
  }
  return text;
}

/// Integer results before they are narrowed to the result type, exact.
Int128 ExactInteger(const Transform& transform, TypeId source, int64_t value) {
  switch (transform.id()) {
    case TransformId::kTruncate:
      return Int128{value} - Remainder(value, transform.parameter());
    case TransformId::kYear:
      return CivilFromDays(FloorDays(source, value)).year - kEpochYear;
    case TransformId::kMonth:
      return MonthsSinceEpoch(FloorDays(source, value));
    case TransformId::kDay:
      return FloorDays(source, value);
    case TransformId::kHour:
      return FloorHours(source, value);
    default:
      return value;
  }
}

/// Wraps `value` into the range of the result type.
int64_t Narrow(const Type& result, Int128 value) {
  if (result.id() == TypeId::kLong) return static_cast<int64_t>(value);
  return static_cast<int32_t>(value);
}

bool HasIntegerResult(TransformId id, const ValueView& value) {
  return value.kind == ValueView::Kind::kInteger &&
         (id == TransformId::kTruncate || (id >= TransformId::kYear && id <= TransformId::kHour));
}

ValueView ApplyTruncate(const Type& source, int32_t width, const ValueView& value) {
  if (value.kind == ValueView::Kind::kDecimal) {
    return ValueView::Decimal(TruncateDecimal(value.decimal, width));
  }
  if (source.id() == TypeId::kString) return ValueView::Bytes(TruncateString(value.span(), width));
  const auto length = static_cast<size_t>(width);
  return ValueView::Bytes(value.span().first(std::min(length, value.span().size())));
}

}  // namespace

ValueView Transform::Apply(const Type& source, const ValueView& value) const {
  if (value.is_null()) return value;
  if (HasIntegerResult(id_, value)) {
    return ValueView::Integer(
        Narrow(ResultType(source), ExactInteger(*this, source.id(), value.integer)));
  }
  switch (id_) {
    case TransformId::kIdentity:
      return value;
    case TransformId::kBucket:
      return ValueView::Integer((BucketHash(source, value) & std::numeric_limits<int32_t>::max()) %
                                parameter_);
    case TransformId::kTruncate:
      return ApplyTruncate(source, parameter_, value);
    default:
      return ValueView();
  }
}

bool Transform::Wraps(const Type& source, const ValueView& value) const {
  if (value.kind == ValueView::Kind::kDecimal && id_ == TransformId::kTruncate) {
    return TruncateDecimal(value.decimal, parameter_) > value.decimal;
  }
  if (!HasIntegerResult(id_, value)) return false;
  const Int128 exact = ExactInteger(*this, source.id(), value.integer);
  return Narrow(ResultType(source), exact) != exact;
}

namespace {

int32_t HashLong(int64_t value) {
  return Murmur3({reinterpret_cast<const uint8_t*>(&value), sizeof(value)});
}

int32_t HashReal(double value) {
  if (value != value) return HashLong(0x7ff8000000000000);
  return HashLong(value == 0 ? 0 : std::bit_cast<int64_t>(value));
}

}  // namespace

int32_t BucketHash(const Type& type, const ValueView& value) {
  switch (value.kind) {
    case ValueView::Kind::kInteger:
      return HashLong(IsNanoseconds(type.id()) ? FloorDivide(value.integer, 1000) : value.integer);
    case ValueView::Kind::kReal:
      return HashReal(value.real);
    case ValueView::Kind::kDecimal:
      return Murmur3(AsBytes(ToMinimalBigEndian(value.decimal)));
    case ValueView::Kind::kBytes:
      return Murmur3(value.span());
    case ValueView::Kind::kNull:
      return 0;
  }
  return 0;
}

}  // namespace nunatak
