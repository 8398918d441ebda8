#include "nunatak/table/value_json.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "nunatak/table/schema.h"
#include "table/thrown_error.h"

namespace nunatak {
namespace {

using nlohmann::ordered_json;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Field Part(int32_t id, std::string name, Type type, bool required = false) {
  Field field;
  field.id = id;
  field.name = std::move(name);
  field.required = required;
  field.type = std::move(type);
  return field;
}

const Type& Point() {
  static const Type type =
      Type::Struct({Part(1, "x", TypeId::kInt, true), Part(2, "label", TypeId::kString)});
  return type;
}

Type ListOf(Type element) { return Type::List(Part(3, "element", std::move(element), true)); }

Type MapOf(Type key, Type value) {
  return Type::Map(Part(4, "key", std::move(key), true), Part(5, "value", std::move(value)));
}

Value Parse(const Type& type, std::string_view text) {
  return ValueFromJson(type, JsonDocument::Parse(text).root());
}

struct JsonForm {
  Type type;
  const char* json;
  Value value;
};

// The examples of Appendix D, "JSON single-value serialization".
TEST(ValueJson, HasTheFormsOfTheSpecification) {
  const std::string uuid = "\xF7\x9C\x3E\x09\x67\x7C\x4B\xBD\xA4\x79\x3F\x34\x9C\xB7\x85\xE7";
  constexpr int64_t kMicros = 1'510'871'468'123'456;
  const JsonForm forms[] = {
      {TypeId::kBoolean, "true", Value::Integer(1)},
      {TypeId::kInt, "34", Value::Integer(34)},
      {TypeId::kLong, "34", Value::Integer(34)},
      {TypeId::kFloat, "1.0", Value::Real(1)},
      {TypeId::kFloat, "3.4028235e+38", Value::Real(0x1.fffffep+127)},
      {TypeId::kDouble, "1.0", Value::Real(1)},
      {Type::Decimal(9, 2), R"("14.20")", Value::Decimal(1420)},
      {TypeId::kDate, R"("2017-11-16")", Value::Integer(17486)},
      {TypeId::kTime, R"("22:31:08.123456")", Value::Integer(81'068'123'456)},
      {TypeId::kTimestamp, R"("2017-11-16T22:31:08.123456")", Value::Integer(kMicros)},
      {TypeId::kTimestampTz, R"("2017-11-16T22:31:08.123456+00:00")", Value::Integer(kMicros)},
      {TypeId::kTimestampNs, R"("2017-11-16T22:31:08.123456789")",
       Value::Integer(kMicros * 1000 + 789)},
      {TypeId::kTimestampTzNs, R"("2017-11-16T22:31:08.123456789+00:00")",
       Value::Integer(kMicros * 1000 + 789)},
      {TypeId::kString, R"("iceberg")", Value::Bytes("iceberg")},
      {TypeId::kUuid, R"("f79c3e09-677c-4bbd-a479-3f349cb785e7")", Value::Bytes(uuid)},
      {Type::Fixed(4), R"("000102FF")", Value::Bytes(std::string("\x00\x01\x02\xFF", 4))},
      {TypeId::kBinary, R"("000102FF")", Value::Bytes(std::string("\x00\x01\x02\xFF", 4))},
      {Point(), R"({"1":1,"2":"bar"})", Value::Nested({Value::Integer(1), Value::Bytes("bar")})},
      {ListOf(TypeId::kInt), "[1,2,3]",
       Value::Nested({Value::Integer(1), Value::Integer(2), Value::Integer(3)})},
      {MapOf(TypeId::kString, TypeId::kInt), R"({"keys":["a","b"],"values":[1,2]})",
       Value::Nested({Value::Nested({Value::Bytes("a"), Value::Integer(1)}),
                      Value::Nested({Value::Bytes("b"), Value::Integer(2)})})},
      {TypeId::kUnknown, "null", Value::Null()},
      {TypeId::kString, "null", Value::Null()},
  };
  for (const JsonForm& form : forms) {
    EXPECT_EQ(Parse(form.type, form.json), form.value) << form.json;
    EXPECT_EQ(ValueToJson(form.type, form.value).dump(), form.json);
  }
}

TEST(ValueJson, ReadsGeometriesFromText) {
  const Type type = Type::Geometry("OGC:CRS84");
  const Value value = Parse(type, R"j("POINT (30 10)")j");
  EXPECT_EQ(ToHex(AsBytes(value.bytes())), "01010000000000000000003E400000000000002440");
  EXPECT_EQ(ValueToJson(type, value).dump(), R"j("POINT (30 10)")j");
  EXPECT_EQ(ValueToCell(type, value).dump(), R"("01010000000000000000003E400000000000002440")");
  EXPECT_ERROR(Parse(type, R"("POINT 30 10")"), ErrorCode::kInvalid, "geometry");
  EXPECT_ERROR(ValueToJson(type, Value::Bytes("x")), ErrorCode::kInvalid, "well-known binary");
}

TEST(ValueJson, ReadsOtherSpellings) {
  EXPECT_EQ(Parse(TypeId::kUuid, R"("F79C3E09-677C-4BBD-A479-3F349CB785E7")"),
            Parse(TypeId::kUuid, R"("f79c3e09-677c-4bbd-a479-3f349cb785e7")"));
  EXPECT_EQ(Parse(TypeId::kBinary, R"("000102ff")"), Parse(TypeId::kBinary, R"("000102FF")"));
  EXPECT_EQ(Parse(Type::Decimal(9, 2), R"("14.2")"), Value::Decimal(1420));
  EXPECT_EQ(Parse(TypeId::kDouble, "34"), Value::Real(34));
  EXPECT_EQ(Parse(TypeId::kTimestampTz, R"("2017-11-16T14:31:08-08:00")"),
            Parse(TypeId::kTimestampTz, R"("2017-11-16T22:31:08+00:00")"));
  EXPECT_EQ(Parse(Point(), R"({"9":{},"1":1})"), Value::Nested({Value::Integer(1), Value::Null()}));
}

TEST(ValueJson, WritesWhatJsonNumbersCannotHoldAsText) {
  const JsonForm forms[] = {
      {TypeId::kDouble, R"("NaN")", Value::Real(kNan)},
      {TypeId::kFloat, R"("Infinity")", Value::Real(kInfinity)},
      {TypeId::kDouble, R"("-Infinity")", Value::Real(-kInfinity)},
      {TypeId::kDouble, "-0.0", Value::Real(-0.0)},
      {TypeId::kDouble, "5e-324", Value::Real(5e-324)},
      {TypeId::kDouble, "1.7976931348623157e+308", Value::Real(1.7976931348623157e308)},
  };
  for (const JsonForm& form : forms) {
    EXPECT_EQ(Parse(form.type, form.json), form.value) << form.json;
    EXPECT_EQ(ValueToJson(form.type, form.value).dump(), form.json);
    EXPECT_EQ(ValueToCell(form.type, form.value).dump(), form.json);
  }
}

TEST(ValueJson, WritesFloatsWithTheirOwnDigits) {
  for (float value : {0.1F, 3.4028235e38F, 1.17549435e-38F, 16777216.0F}) {
    const ordered_json json = ValueToJson(TypeId::kFloat, Value::Real(static_cast<double>(value)));
    EXPECT_LE(json.dump().size(), 16U) << json.dump();
    EXPECT_EQ(static_cast<float>(json.get<double>()), value);
  }
  EXPECT_EQ(ValueToJson(TypeId::kFloat, Value::Real(static_cast<double>(0.1F))).dump(), "0.1");
}

struct BadValue {
  Type type;
  const char* json;
};

TEST(ValueJson, RefusesWhatDoesNotFitTheType) {
  const BadValue cases[] = {
      {TypeId::kBoolean, "1"},
      {TypeId::kBoolean, R"("true")"},
      {TypeId::kInt, "2147483648"},
      {TypeId::kInt, "-2147483649"},
      {TypeId::kInt, "18446744073709551615"},
      {TypeId::kInt, "1.0"},
      {TypeId::kLong, "9223372036854775808"},
      {TypeId::kLong, R"("1")"},
      {TypeId::kFloat, "1e39"},
      {TypeId::kDouble, R"("nan")"},
      {TypeId::kDouble, "true"},
      {Type::Decimal(9, 2), "14.20"},
      {Type::Decimal(9, 2), R"("14.205")"},
      {Type::Decimal(9, 2), R"("10000000.00")"},
      {Type::Decimal(9, 2), R"("abc")"},
      {TypeId::kDate, R"("2017-02-29")"},
      {TypeId::kDate, "17486"},
      {TypeId::kTime, R"("24:00:00")"},
      {TypeId::kTimestamp, R"("2017-11-16T22:31:08+00:00")"},
      {TypeId::kTimestampTz, R"("2017-11-16T22:31:08")"},
      {TypeId::kTimestamp, R"("2017-11-16T22:31:08.123456789")"},
      {TypeId::kTimestampNs, R"("2300-01-01T00:00:00")"},
      {TypeId::kString, "1"},
      {TypeId::kUuid, R"("f79c3e09-677c-4bbd-a479-3f349cb785e")"},
      {TypeId::kUuid, R"("f79c3e09677c4bbda4793f349cb785e7")"},
      {TypeId::kUuid, R"("g79c3e09-677c-4bbd-a479-3f349cb785e7")"},
      {Type::Fixed(4), R"("000102")"},
      {Type::Fixed(4), R"("0001020304")"},
      {TypeId::kBinary, R"("000")"},
      {TypeId::kBinary, R"("0x00")"},
      {TypeId::kUnknown, "1"},
      {Point(), "[1]"},
      {Point(), R"({"2":"a"})"},
      {Point(), R"({"1":null})"},
      {Point(), R"({"1":"a"})"},
      {ListOf(TypeId::kInt), "{}"},
      {ListOf(TypeId::kInt), "[1,null]"},
      {ListOf(TypeId::kInt), R"([1,"a"])"},
      {MapOf(TypeId::kString, TypeId::kInt), R"({"keys":["a"],"values":[1,2]})"},
      {MapOf(TypeId::kString, TypeId::kInt), R"({"keys":[null],"values":[1]})"},
      {MapOf(TypeId::kString, TypeId::kInt), R"({"keys":["a"]})"},
      {MapOf(TypeId::kString, TypeId::kInt), R"({"a":1})"},
  };
  for (const BadValue& c : cases) {
    EXPECT_ERROR(Parse(c.type, c.json), ErrorCode::kInvalid, "") << c.json;
  }
  EXPECT_ERROR(Parse(TypeId::kVariant, "1"), ErrorCode::kUnsupported, "variant");
}

TEST(ValueJson, SaysWhereInANestedValue) {
  EXPECT_ERROR(Parse(Type::Struct({Part(7, "tags", ListOf(TypeId::kInt))}), R"({"7":[1,"a"]})"),
               ErrorCode::kInvalid, R"(7: [1]: expected a 64-bit integer, got "a")");
}

TEST(ValueToCell, KeysStructsByName) {
  const Type type = ListOf(MapOf(TypeId::kString, Point()));
  const Value value = Value::Nested({Value::Nested(
      {Value::Nested({Value::Bytes("k"), Value::Nested({Value::Integer(1), Value::Null()})})})});
  EXPECT_EQ(ValueToCell(type, value).dump(), R"([{"keys":["k"],"values":[{"x":1,"label":null}]}])");
  EXPECT_EQ(ValueToJson(type, value).dump(), R"([{"keys":["k"],"values":[{"1":1,"2":null}]}])");
}

// What an unknown transform made has no type, but a form.
TEST(ValueToCell, ShowsValuesOfUnknownTypeByTheirForm) {
  EXPECT_EQ(ValueToCell(TypeId::kUnknown, Value::Integer(7)).dump(), "7");
  EXPECT_EQ(ValueToCell(TypeId::kUnknown, Value::Bytes("ab")).dump(), R"("ab")");
  EXPECT_EQ(ValueToCell(TypeId::kUnknown, Value::Bytes("\xFF")).dump(), R"("FF")");
}

TEST(ValueToCell, IsAlwaysValidJson) {
  EXPECT_EQ(ValueToCell(TypeId::kString, Value::Bytes("a\xFF"
                                                      "b"))
                .dump(),
            "\"a\uFFFDb\"");
  EXPECT_EQ(ValueToCell(TypeId::kString, Value::Bytes("abc\xE2\x82")).dump(), R"("abc")");
}

TEST(ValueJson, RoundTripsRandomValues) {
  std::mt19937_64 random(8);
  for (int i = 0; i < 5'000; ++i) {
    const auto bits = static_cast<int64_t>(random()) >> (i % 64);
    const Int128 unscaled = Int128{bits} * static_cast<int64_t>(random() % 1'000'000'000);
    const auto narrow = static_cast<double>(std::bit_cast<float>(static_cast<int32_t>(bits)));
    std::string bytes(16, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    const JsonForm forms[] = {
        {TypeId::kInt, "", Value::Integer(static_cast<int32_t>(bits))},
        {TypeId::kLong, "", Value::Integer(bits)},
        {TypeId::kDouble, "", Value::Real(std::bit_cast<double>(bits))},
        {TypeId::kFloat, "", Value::Real(narrow)},
        {Type::Decimal(38, 12), "", Value::Decimal(unscaled)},
        {TypeId::kDate, "", Value::Integer(static_cast<int32_t>(bits))},
        {TypeId::kTime, "", Value::Integer((bits & 0x7FFFFFFFFFFF) % 86'400'000'000)},
        {TypeId::kTimestamp, "", Value::Integer(bits)},
        {TypeId::kTimestampTzNs, "", Value::Integer(bits)},
        {TypeId::kUuid, "", Value::Bytes(bytes)},
        {Type::Fixed(16), "", Value::Bytes(bytes)},
        {TypeId::kBinary, "", Value::Bytes(bytes)},
    };
    for (const JsonForm& form : forms) {
      const std::string json = ValueToJson(form.type, form.value).dump();
      ASSERT_EQ(Parse(form.type, json), form.value) << form.type.ToString() << " " << json;
    }
  }
}

}  // namespace
}  // namespace nunatak
