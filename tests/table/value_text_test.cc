#include <gtest/gtest.h>

#include <limits>

#include "nunatak/table/value_json.h"

namespace nunatak {
namespace {

struct TextForm {
  Type type;
  Value value;
  const char* text;
};

TEST(ValueToText, ShowsPrimitiveValues) {
  const TextForm forms[] = {
      {TypeId::kInt, Value::Null(), "null"},
      {TypeId::kBoolean, Value::Integer(0), "false"},
      {TypeId::kBoolean, Value::Integer(1), "true"},
      {TypeId::kLong, Value::Integer(std::numeric_limits<int64_t>::min()), "-9223372036854775808"},
      {TypeId::kFloat, Value::Real(static_cast<double>(0.1F)), "0.1"},
      {TypeId::kDouble, Value::Real(1), "1.0"},
      {TypeId::kDouble, Value::Real(1e30), "1e+30"},
      {TypeId::kDouble, Value::Real(-0.0), "-0.0"},
      {TypeId::kDouble, Value::Real(std::numeric_limits<double>::quiet_NaN()), "NaN"},
      {TypeId::kFloat, Value::Real(-std::numeric_limits<double>::infinity()), "-Infinity"},
      {Type::Decimal(9, 2), Value::Decimal(-5), "-0.05"},
      {TypeId::kDate, Value::Integer(-1), "1969-12-31"},
      {TypeId::kTime, Value::Integer(81'068'500'000), "22:31:08.500"},
      {TypeId::kTimestamp, Value::Integer(-1), "1969-12-31T23:59:59.999999"},
      {TypeId::kTimestampTz, Value::Integer(0), "1970-01-01T00:00:00+00:00"},
      {TypeId::kTimestampNs, Value::Integer(1), "1970-01-01T00:00:00.000000001"},
      {TypeId::kTimestampTzNs, Value::Integer(-1), "1969-12-31T23:59:59.999999999+00:00"},
      {TypeId::kString, Value::Bytes("ünï"), "ünï"},
      {TypeId::kBinary, Value::Bytes("\xDE\xAD"), "DEAD"},
      {Type::Fixed(1), Value::Bytes("\x0F"), "0F"},
      {TypeId::kUuid, Value::Bytes("0123456789abcdef"), "30313233-3435-3637-3839-616263646566"},
      {TypeId::kUuid, Value::Bytes("01"), "3031"},
  };
  for (const TextForm& form : forms) {
    EXPECT_EQ(ValueToText(form.type, form.value.view()), form.text) << form.type.ToString();
  }
}

TEST(ValueToText, EndsStringsBeforeACutCharacter) {
  for (const char* cut : {"abc\xE2", "abc\xE2\x82", "abc\xF0\x9F\x98", "abc\xC3"}) {
    EXPECT_EQ(ValueToText(TypeId::kString, Value::Bytes(cut).view()), "abc");
  }
  EXPECT_EQ(ValueToText(TypeId::kString, Value::Bytes("a\xE2\x82z").view()), "a\uFFFD\uFFFDz");
  EXPECT_EQ(ValueToText(TypeId::kString, Value::Bytes("a\xFF").view()), "a\uFFFD");
}

}  // namespace
}  // namespace nunatak
