#include "nunatak/hive/partition_type.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "nunatak/base/error.h"

namespace nunatak::hive {
namespace {

Type Decimal(int precision) { return Type::Decimal(precision, 0); }

/// As Spark's partition discovery infers, in its order.
TEST(PartitionType, TheFirstTypeThatFits) {
  struct Case {
    std::string_view text;
    Type type;
  };
  const std::vector<Case> cases = {
      {"1", TypeId::kInt},
      {"-7", TypeId::kInt},
      {"+7", TypeId::kInt},
      {"01", TypeId::kInt},
      {"2147483647", TypeId::kInt},
      {"2147483648", TypeId::kLong},
      {"-9223372036854775808", TypeId::kLong},
      {"9223372036854775808", Decimal(19)},
      {"00009223372036854775808", Decimal(19)},
      {"1234567890123456789012345678901234567890", TypeId::kDouble},
      {"1.5", TypeId::kDouble},
      {".5", TypeId::kDouble},
      {"1e3", TypeId::kDouble},
      {"1d", TypeId::kDouble},
      {"-2.5F", TypeId::kDouble},
      {"NaN", TypeId::kDouble},
      {"-Infinity", TypeId::kDouble},
      {"nan", TypeId::kString},
      {"inf", TypeId::kString},
      {"2024-01-31", TypeId::kDate},
      {"2024-02-31", TypeId::kString},
      {"2024-01-31 10:00:00", TypeId::kTimestampTz},
      {"2024-01-31 10:00:00.5", TypeId::kTimestampTz},
      {"2024-01", TypeId::kString},
      {"true", TypeId::kString},
      {"", TypeId::kString},
      {"d", TypeId::kString},
      {"--1", TypeId::kString},
      {"+-1", TypeId::kString},
  };
  for (const Case& c : cases) EXPECT_EQ(InferType(c.text), c.type) << c.text;
}

TEST(PartitionType, ColumnsWidenWithoutLoss) {
  struct Case {
    Type a;
    Type b;
    Type wider;
  };
  const std::vector<Case> cases = {
      {TypeId::kUnknown, TypeId::kInt, TypeId::kInt},
      {TypeId::kInt, TypeId::kLong, TypeId::kLong},
      {TypeId::kInt, TypeId::kDouble, TypeId::kDouble},
      // A double does not hold every long.
      {TypeId::kLong, TypeId::kDouble, TypeId::kString},
      {Decimal(20), TypeId::kDouble, TypeId::kString},
      {TypeId::kInt, Decimal(25), Decimal(25)},
      {TypeId::kLong, Decimal(19), Decimal(20)},
      {Decimal(21), Decimal(30), Decimal(30)},
      {TypeId::kDate, TypeId::kTimestampTz, TypeId::kTimestampTz},
      {TypeId::kInt, TypeId::kDate, TypeId::kString},
      {TypeId::kString, TypeId::kInt, TypeId::kString},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(WiderType(c.a, c.b), c.wider) << c.a.ToString() << " " << c.b.ToString();
    EXPECT_EQ(WiderType(c.b, c.a), c.wider) << c.b.ToString() << " " << c.a.ToString();
  }
}

TEST(PartitionType, ValuesAreReadAsTheColumnsType) {
  EXPECT_EQ(ParseValue(TypeId::kInt, "01"), Value::Integer(1));
  EXPECT_EQ(ParseValue(TypeId::kString, "01"), Value::Bytes("01"));
  EXPECT_EQ(ParseValue(TypeId::kDouble, "1d"), Value::Real(1));
  EXPECT_TRUE(std::isnan(ParseValue(TypeId::kDouble, "NaN").real()));
  EXPECT_EQ(ParseValue(TypeId::kDate, "1970-01-02"), Value::Integer(1));
  EXPECT_EQ(ParseValue(TypeId::kTimestampTz, "1970-01-01 00:00:01"), Value::Integer(1000000));
  EXPECT_EQ(ParseValue(TypeId::kTimestampTz, "1970-01-02"), Value::Integer(86400000000));
  EXPECT_EQ(ParseValue(Type::Decimal(9, 2), "1.5"), Value::Decimal(150));
  EXPECT_EQ(ParseValue(TypeId::kBoolean, "true"), Value::Integer(1));
  EXPECT_EQ(ParseValue(TypeId::kInt, std::nullopt), Value::Null());
}

TEST(PartitionType, TextThatIsNoValueIsAnError) {
  const std::vector<std::pair<Type, std::string>> cases = {
      {TypeId::kInt, "x"},
      {TypeId::kInt, "2147483648"},
      {TypeId::kInt, ""},
      {TypeId::kDate, "2024-1"},
      {Type::Decimal(3, 2), "12.34"},
      {TypeId::kBoolean, "yes"},
      {TypeId::kUuid, "1"},
      {TypeId::kTimestamp, "2024-01-01T00:00:00Z"}};
  for (const auto& [type, text] : cases) {
    try {
      ParseValue(type, text);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalid);
      EXPECT_NE(error.message().find(text), std::string::npos) << error.message();
    }
  }
}

TEST(PartitionType, TypesAreGivenByName) {
  const auto types = ParsePartitionTypes("year=int,price=decimal(9, 2),code=string");
  EXPECT_EQ(types.size(), 3);
  EXPECT_EQ(types.at("price"), Type::Decimal(9, 2));
  EXPECT_EQ(types.at("code"), Type(TypeId::kString));
  for (const char* text : {"year", "=int", "year=", "year=integer", "year=int,,"}) {
    EXPECT_THROW(ParsePartitionTypes(text), Error) << text;
  }
}

}  // namespace
}  // namespace nunatak::hive
