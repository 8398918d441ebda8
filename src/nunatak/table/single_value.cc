#include "nunatak/table/single_value.h"

#include <cstring>

namespace nunatak {

namespace {

constexpr int64_t kMicrosPerDay = 86'400'000'000;
constexpr size_t kUuidLength = 16;

template <typename T>
bool DecodeInteger(ByteSpan bytes, ValueView* out) {
  if (bytes.size() != sizeof(T)) return false;
  *out = ValueView::Integer(LoadLittleEndian<T>(bytes.data()));
  return true;
}

template <typename T>
bool DecodeReal(ByteSpan bytes, ValueView* out) {
  if (bytes.size() != sizeof(T)) return false;
  *out = ValueView::Real(static_cast<double>(LoadLittleEndian<T>(bytes.data())));
  return true;
}

/// Days of a column that was a date before it was promoted; false when beyond the range.
bool DecodePromotedDate(ByteSpan bytes, int64_t units_per_day, ValueView* out) {
  if (bytes.size() != sizeof(int32_t)) return false;
  int64_t value = 0;
  const int64_t days = LoadLittleEndian<int32_t>(bytes.data());
  if (__builtin_mul_overflow(days, units_per_day, &value)) return false;
  *out = ValueView::Integer(value);
  return true;
}

bool DecodeBytes(ByteSpan bytes, ValueView* out) {
  *out = ValueView::Bytes(bytes);
  return true;
}

template <typename T>
std::string Encode(T value) {
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

}  // namespace

bool DecodeSingleValue(const Type& type, ByteSpan bytes, ValueView* out) {
  switch (type.id()) {
    case TypeId::kBoolean:
      if (bytes.size() != 1) return false;
      *out = ValueView::Integer(bytes[0] != 0 ? 1 : 0);
      return true;
    case TypeId::kInt:
    case TypeId::kDate:
      return DecodeInteger<int32_t>(bytes, out);
    case TypeId::kLong:
      return DecodeInteger<int64_t>(bytes, out) || DecodeInteger<int32_t>(bytes, out);
    case TypeId::kTime:
    case TypeId::kTimestampTz:
    case TypeId::kTimestampTzNs:
      return DecodeInteger<int64_t>(bytes, out);
    case TypeId::kTimestamp:
      return DecodeInteger<int64_t>(bytes, out) || DecodePromotedDate(bytes, kMicrosPerDay, out);
    case TypeId::kTimestampNs:
      return DecodeInteger<int64_t>(bytes, out) ||
             DecodePromotedDate(bytes, kMicrosPerDay * 1000, out);
    case TypeId::kFloat:
      return DecodeReal<float>(bytes, out);
    case TypeId::kDouble:
      return DecodeReal<double>(bytes, out) || DecodeReal<float>(bytes, out);
    case TypeId::kDecimal: {
      const std::optional<Int128> unscaled = FromBigEndian(bytes);
      if (unscaled) *out = ValueView::Decimal(*unscaled);
      return unscaled.has_value();
    }
    case TypeId::kUuid:
      return bytes.size() == kUuidLength && DecodeBytes(bytes, out);
    case TypeId::kFixed: {
      // A shorter one is a truncated bound; an empty one bounds nothing and is a writer's mistake.
      const auto length = static_cast<size_t>(type.length());
      const bool fits = bytes.size() <= length && (length == 0 || !bytes.empty());
      return fits && DecodeBytes(bytes, out);
    }
    case TypeId::kString:
    case TypeId::kBinary:
    case TypeId::kGeometry:
    case TypeId::kGeography:
      return DecodeBytes(bytes, out);
    case TypeId::kUnknown:
    case TypeId::kVariant:
    case TypeId::kStruct:
    case TypeId::kList:
    case TypeId::kMap:
      return false;
  }
  return false;
}

std::string EncodeSingleValue(const Type& type, const ValueView& value) {
  switch (value.kind) {
    case ValueView::Kind::kNull:
      return "";
    case ValueView::Kind::kInteger:
      if (type.id() == TypeId::kBoolean) return Encode(static_cast<uint8_t>(value.integer));
      if (type.id() == TypeId::kInt || type.id() == TypeId::kDate) {
        return Encode(static_cast<int32_t>(value.integer));
      }
      return Encode(value.integer);
    case ValueView::Kind::kReal:
      if (type.id() == TypeId::kFloat) return Encode(static_cast<float>(value.real));
      return Encode(value.real);
    case ValueView::Kind::kDecimal:
      return ToMinimalBigEndian(value.decimal);
    case ValueView::Kind::kBytes:
      return std::string(value.text());
  }
  return "";
}

}  // namespace nunatak
