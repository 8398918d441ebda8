#include "nunatak/table/single_value.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "nunatak/table/schema.h"

namespace nunatak {
namespace {

using std::string_view_literals::operator""sv;

/// The decoded value as an owned one; nullopt when the bytes fit no form of the type.
std::optional<Value> Decode(const Type& type, std::string_view bytes) {
  ValueView view;
  if (!DecodeSingleValue(type, AsBytes(bytes), &view)) return std::nullopt;
  return Value::Of(view);
}

struct BinaryForm {
  Type type;
  Value value;
  std::string_view bytes;
};

// Appendix D, "Binary single-value serialization".
TEST(SingleValue, HasTheBinaryFormOfTheSpecification) {
  const auto uuid = "\xF7\x9C\x3E\x09\x67\x7C\x4B\xBD\xA4\x79\x3F\x34\x9C\xB7\x85\xE7"sv;
  const BinaryForm forms[] = {
      {TypeId::kBoolean, Value::Integer(0), "\x00"sv},
      {TypeId::kBoolean, Value::Integer(1), "\x01"sv},
      {TypeId::kInt, Value::Integer(34), "\x22\x00\x00\x00"sv},
      {TypeId::kInt, Value::Integer(-2), "\xFE\xFF\xFF\xFF"sv},
      {TypeId::kLong, Value::Integer(34), "\x22\x00\x00\x00\x00\x00\x00\x00"sv},
      {TypeId::kFloat, Value::Real(1.0), "\x00\x00\x80\x3F"sv},
      {TypeId::kDouble, Value::Real(-0.0), "\x00\x00\x00\x00\x00\x00\x00\x80"sv},
      {TypeId::kDate, Value::Integer(-1), "\xFF\xFF\xFF\xFF"sv},
      {TypeId::kTime, Value::Integer(1), "\x01\x00\x00\x00\x00\x00\x00\x00"sv},
      {TypeId::kTimestamp, Value::Integer(-1), "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"sv},
      {TypeId::kTimestampTz, Value::Integer(256), "\x00\x01\x00\x00\x00\x00\x00\x00"sv},
      {TypeId::kTimestampNs, Value::Integer(2), "\x02\x00\x00\x00\x00\x00\x00\x00"sv},
      {TypeId::kTimestampTzNs, Value::Integer(3), "\x03\x00\x00\x00\x00\x00\x00\x00"sv},
      {TypeId::kString, Value::Bytes("ünï"), "\xC3\xBCn\xC3\xAF"sv},
      {TypeId::kString, Value::Bytes(""), ""sv},
      {TypeId::kUuid, Value::Bytes(std::string(uuid)), uuid},
      {Type::Fixed(2), Value::Bytes("\xBE\xEF"), "\xBE\xEF"sv},
      {TypeId::kBinary, Value::Bytes(std::string("\x00\xFF", 2)), "\x00\xFF"sv},
      {TypeId::kBinary, Value::Bytes(""), ""sv},
      {Type::Decimal(9, 2), Value::Decimal(1420), "\x05\x8C"sv},
  };
  for (const BinaryForm& form : forms) {
    EXPECT_EQ(EncodeSingleValue(form.type, form.value.view()), form.bytes) << form.type.ToString();
    EXPECT_EQ(Decode(form.type, form.bytes), form.value) << form.type.ToString();
  }
}

TEST(SingleValue, EveryNonZeroByteIsTrue) {
  EXPECT_EQ(Decode(TypeId::kBoolean, "\xFF"), Value::Integer(1));
  EXPECT_EQ(Decode(TypeId::kBoolean, "\x02"), Value::Integer(1));
}

struct DecimalForm {
  Int128 unscaled;
  std::string_view bytes;
};

TEST(SingleValue, WritesDecimalsWithTheFewestBytes) {
  const Int128 most = PowerOfTen(38) - 1;
  const DecimalForm forms[] = {
      {0, "\x00"sv},
      {127, "\x7F"sv},
      {128, "\x00\x80"sv},
      {-128, "\x80"sv},
      {-129, "\xFF\x7F"sv},
      {32767, "\x7F\xFF"sv},
      {32768, "\x00\x80\x00"sv},
      {-1, "\xFF"sv},
      {most, "\x4B\x3B\x4C\xA8\x5A\x86\xC4\x7A\x09\x8A\x22\x3F\xFF\xFF\xFF\xFF"sv},
  };
  const Type type = Type::Decimal(38, 38);
  for (const DecimalForm& form : forms) {
    EXPECT_EQ(EncodeSingleValue(type, ValueView::Decimal(form.unscaled)), form.bytes);
    EXPECT_EQ(Decode(type, form.bytes), Value::Decimal(form.unscaled));
  }
}

TEST(SingleValue, ReadsDecimalsOfAnyLength) {
  const Type type = Type::Decimal(9, 2);
  EXPECT_EQ(Decode(type, "\x00\x00\x00\x7F"sv), Value::Decimal(127));
  EXPECT_EQ(Decode(type, "\xFF\xFF\xFF\x80"sv), Value::Decimal(-128));
  EXPECT_EQ(Decode(type, std::string(20, '\xFF')), Value::Decimal(-1));
  EXPECT_EQ(Decode(type, std::string(17, '\x7F')), std::nullopt);
  EXPECT_EQ(Decode(type, ""), std::nullopt);
}

// "Schema Evolution": the type at write time is inferred from the length of the bound.
TEST(SingleValue, WidensBoundsWrittenBeforeAPromotion) {
  EXPECT_EQ(Decode(TypeId::kLong, "\x05\x00\x00\x00"sv), Value::Integer(5));
  EXPECT_EQ(Decode(TypeId::kLong, "\xFF\xFF\xFF\xFF"sv), Value::Integer(-1));
  EXPECT_EQ(Decode(TypeId::kDouble, "\x00\x00\xC0\x3F"sv), Value::Real(1.5));
  EXPECT_EQ(Decode(TypeId::kTimestamp, "\xFF\xFF\xFF\xFF"sv), Value::Integer(-86'400'000'000));
  EXPECT_EQ(Decode(TypeId::kTimestampNs, "\x01\x00\x00\x00"sv), Value::Integer(86'400'000'000'000));
  EXPECT_EQ(Decode(TypeId::kTimestampTz, "\x01\x00\x00\x00"sv), std::nullopt);
  EXPECT_EQ(Decode(TypeId::kTimestampTzNs, "\x01\x00\x00\x00"sv), std::nullopt);
  EXPECT_EQ(Decode(TypeId::kInt, "\x05\x00\x00\x00\x00\x00\x00\x00"sv), std::nullopt);
  EXPECT_EQ(Decode(TypeId::kFloat, "\x00\x00\x00\x00\x00\x00\xF0\x3F"sv), std::nullopt);
}

TEST(SingleValue, DatesBeyondTheRangeOfTheirPromotionAreUnknown) {
  EXPECT_EQ(Decode(TypeId::kTimestamp, "\xFF\xFF\xFF\x7F"sv), std::nullopt);
  EXPECT_EQ(Decode(TypeId::kTimestampNs, "\x00\x00\x00\x80"sv), std::nullopt);
}

TEST(SingleValue, BytesOfAnotherLengthAreUnknown) {
  for (TypeId type :
       {TypeId::kBoolean, TypeId::kInt, TypeId::kLong, TypeId::kFloat, TypeId::kDouble,
        TypeId::kDate, TypeId::kTime, TypeId::kTimestamp, TypeId::kTimestampTz,
        TypeId::kTimestampNs, TypeId::kTimestampTzNs, TypeId::kUuid}) {
    for (size_t length : {0, 2, 3, 5, 7, 9, 15, 17}) {
      EXPECT_EQ(Decode(type, std::string(length, '\x01')), std::nullopt)
          << Type(type).ToString() << " of " << length;
    }
  }
}

TEST(SingleValue, TypesWithoutABinaryFormAreUnknown) {
  for (const Type& type : {Type(TypeId::kUnknown), Type(TypeId::kVariant), Type::Struct({})}) {
    EXPECT_EQ(Decode(type, "\x01"), std::nullopt) << type.ToString();
  }
}

TEST(SingleValue, FixedMayBeTruncatedButNotLonger) {
  EXPECT_EQ(Decode(Type::Fixed(4), "\x01\x02"), Value::Bytes("\x01\x02"));
  EXPECT_EQ(Decode(Type::Fixed(4), "\x01\x02\x03\x04\x05"), std::nullopt);
  EXPECT_EQ(Decode(Type::Fixed(4), ""), std::nullopt);
  EXPECT_EQ(Decode(Type::Fixed(0), ""), Value::Bytes(""));
}

TEST(SingleValue, StringsCutInsideACharacterStayBytes) {
  const auto cut = "abc\xE2"sv;
  EXPECT_EQ(Decode(TypeId::kString, cut), Value::Bytes(std::string(cut)));
}

TEST(SingleValue, PointsIntoTheBytesItReads) {
  const std::string bytes = "abc";
  ValueView view;
  ASSERT_TRUE(DecodeSingleValue(TypeId::kString, AsBytes(bytes), &view));
  EXPECT_EQ(static_cast<const void*>(view.bytes.data), bytes.data());
}

// UUIDs are 16 bytes in unsigned order: 7fff… lies before 8000….
TEST(SingleValue, OrdersUuidsUnsigned) {
  ValueView low;
  ValueView high;
  const std::string low_bytes = "\x7F" + std::string(15, '\xFF');
  const std::string high_bytes = "\x80" + std::string(15, '\x00');
  ASSERT_TRUE(DecodeSingleValue(TypeId::kUuid, AsBytes(low_bytes), &low));
  ASSERT_TRUE(DecodeSingleValue(TypeId::kUuid, AsBytes(high_bytes), &high));
  EXPECT_LT(CompareValues(low, high), 0);
}

TEST(SingleValue, RoundTripsRandomValues) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 10'000; ++i) {
    const auto bits = static_cast<int64_t>(random()) >> (i % 64);
    const Int128 wide = (Int128{static_cast<int64_t>(random()) >> (i % 8)} << (i % 60)) + bits;
    const auto small = static_cast<float>(bits);
    const BinaryForm forms[] = {
        {TypeId::kLong, Value::Integer(bits), ""},
        {TypeId::kInt, Value::Integer(static_cast<int32_t>(bits)), ""},
        {TypeId::kDate, Value::Integer(static_cast<int32_t>(bits)), ""},
        {TypeId::kTimestampNs, Value::Integer(bits), ""},
        {TypeId::kDouble, Value::Real(std::bit_cast<double>(bits)), ""},
        {TypeId::kFloat, Value::Real(static_cast<double>(small)), ""},
        {Type::Decimal(38, 4), Value::Decimal(wide), ""},
    };
    for (const BinaryForm& form : forms) {
      const std::string bytes = EncodeSingleValue(form.type, form.value.view());
      ASSERT_EQ(Decode(form.type, bytes), form.value) << form.type.ToString();
    }
  }
}

}  // namespace
}  // namespace nunatak
