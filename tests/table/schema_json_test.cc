#include "nunatak/table/schema_json.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "table/thrown_error.h"

namespace nunatak {
namespace {

using nlohmann::ordered_json;

Type ParseTypeText(std::string_view text) { return TypeFromJson(JsonDocument::Parse(text).root()); }

Schema ParseSchemaText(std::string_view text) {
  return SchemaFromJson(JsonDocument::Parse(text).root());
}

/// A schema of one field whose type and further parts are given as JSON.
Schema ParseColumn(std::string_view type, std::string_view more = "") {
  return ParseSchemaText(fmt::format(
      R"({{"type":"struct","fields":[{{"id":1,"name":"a","required":false,"type":{}{}}}]}})", type,
      more));
}

/// A column whose initial default is given as JSON.
Schema ParseDefault(std::string_view type, std::string_view value) {
  return ParseColumn(type, fmt::format(R"(,"initial-default":{})", value));
}

TEST(TypeJson, RoundTripsEveryType) {
  for (
      const char* text :
      {R"("unknown")",
       R"("boolean")",
       R"("int")",
       R"("long")",
       R"("float")",
       R"("double")",
       R"j("decimal(9, 2)")j",
       R"("date")",
       R"("time")",
       R"("timestamp")",
       R"("timestamptz")",
       R"("timestamp_ns")",
       R"("timestamptz_ns")",
       R"("string")",
       R"("uuid")",
       R"("fixed[16]")",
       R"("binary")",
       R"("variant")",
       R"j("geometry(srid:4326)")j",
       R"j("geography(srid:4326, spherical)")j",
       R"({"type":"struct","fields":[{"id":1,"name":"x","required":true,"type":"uuid","doc":"d"}]})",
       R"({"type":"list","element-id":3,"element":"string","element-required":true})",
       R"({"type":"map","key-id":4,"key":"string","value-id":5,"value":"double","value-required":false})"}) {
    EXPECT_EQ(TypeToJson(ParseTypeText(text)).dump(), text);
  }
}

TEST(TypeJson, MapKeysAreRequired) {
  const Type type = ParseTypeText(
      R"({"type":"map","key-id":1,"key":"int","value-id":2,"value":"int","value-required":true})");
  EXPECT_TRUE(type.key().required);
  EXPECT_TRUE(type.value().required);
  EXPECT_EQ(type.key().name, "key");
  EXPECT_EQ(type.value().name, "value");
}

TEST(TypeJson, ReadsWrappedTypes) {
  EXPECT_EQ(ParseTypeText(R"({"type":"int"})"), Type(TypeId::kInt));
  EXPECT_EQ(ParseTypeText(R"j({"type":{"type":"decimal(9,2)"}})j"), Type::Decimal(9, 2));
  EXPECT_EQ(ParseTypeText(R"({"type":{"type":"struct","fields":[]}})"), Type::Struct({}));
}

TEST(TypeJson, IgnoresUnknownFieldsAndTheirOrder) {
  const Type type = ParseTypeText(
      R"({"fields":[{"type":"int","x":{"type":7},"required":true,"name":"type","id":1}],"k":[1],"type":"struct"})");
  ASSERT_EQ(type.fields().size(), 1U);
  EXPECT_EQ(type.fields()[0].name, "type");
  EXPECT_EQ(type.fields()[0].type, Type(TypeId::kInt));
}

struct BadJson {
  const char* text;
  const char* message;
};

TEST(TypeJson, SaysWhatIsMissingOrWrong) {
  const BadJson cases[] = {
      {R"({"fields":[]})", "'type' is missing"},
      {R"({"type":null})", "'type' is missing"},
      {R"({"type":"struct"})", "'fields' is missing"},
      {R"({"type":"struct","fields":{}})", "fields: expected an array"},
      {R"({"type":"struct","fields":[{"id":1,"name":"a","required":true}]})",
       "fields[0]: required field 'type' is missing"},
      {R"({"type":"struct","fields":[{"name":"a","required":true,"type":"int"}]})", "'id'"},
      {R"({"type":"struct","fields":[{"id":1,"required":true,"type":"int"}]})", "'name'"},
      {R"({"type":"struct","fields":[{"id":1,"name":"a","type":"int"}]})", "'required'"},
      {R"({"type":"struct","fields":[null]})", "expected an object"},
      {R"({"type":"struct","fields":[{"id":4294967297,"name":"a","required":true,"type":"int"}]})",
       "id: expected a 32-bit integer"},
      {R"({"type":"list","element":"int","element-required":true})", "'element-id'"},
      {R"({"type":"list","element-id":1,"element-required":true})", "'element'"},
      {R"({"type":"map","key-id":1,"key":"int","value-id":2,"value":"int"})", "'value-required'"},
      {R"({"type":7})", "type: expected an object"},
      {"7", "expected an object"},
      {R"("struct")", "must be a JSON object"},
      {R"j("decimal(99, 2)")j", "precision"},
  };
  for (const BadJson& c : cases) {
    EXPECT_ERROR(ParseTypeText(c.text), ErrorCode::kInvalid, c.message) << c.text;
  }
}

TEST(TypeJson, RefusesUnknownTypesByName) {
  EXPECT_ERROR(ParseColumn(R"("interval")"), ErrorCode::kUnsupported,
               "fields[0]: type: type 'interval'");
  EXPECT_ERROR(ParseTypeText(R"({"type":"set"})"), ErrorCode::kUnsupported, "'set'");
}

std::string NestedLists(int depth) {
  std::string text;
  for (int i = 0; i < depth; ++i) {
    text += fmt::format(R"({{"type":"list","element-id":{},"element-required":true,"element":)", i);
  }
  return text + R"("int")" + std::string(static_cast<size_t>(depth), '}');
}

TEST(TypeJson, LimitsNesting) {
  const Type deepest = ParseTypeText(NestedLists(100));
  EXPECT_EQ(ParseTypeText(TypeToJson(deepest).dump()), deepest);
  EXPECT_ERROR(ParseTypeText(NestedLists(101)), ErrorCode::kInvalid, "deeper than 100");
  EXPECT_ERROR(ParseTypeText(NestedLists(100'000)), ErrorCode::kInvalid, "");
}

TEST(SchemaJson, RoundTrips) {
  const char* text =
      R"({"type":"struct","schema-id":7,"identifier-field-ids":[1],"fields":[)"
      R"({"id":1,"name":"id","required":true,"type":"long","doc":"key"},)"
      R"({"id":2,"name":"data","required":false,"type":)"
      R"({"type":"list","element-id":3,"element":"string","element-required":true}}]})";
  const Schema schema = ParseSchemaText(text);
  EXPECT_EQ(schema.schema_id(), 7);
  EXPECT_EQ(schema.identifier_field_ids(), std::vector<int32_t>{1});
  EXPECT_EQ(SchemaToJson(schema).dump(), text);
}

TEST(SchemaJson, OfVersion1HasNoId) {
  EXPECT_EQ(ParseSchemaText(R"({"type":"struct","fields":[]})").schema_id(), 0);
  EXPECT_TRUE(ParseSchemaText(R"({"type":"struct","fields":[]})").fields().empty());
}

TEST(SchemaJson, RefusesWhatIsNoSchema) {
  EXPECT_ERROR(ParseSchemaText(R"({"schema-id":0,"fields":[]})"), ErrorCode::kInvalid, "'type'");
  EXPECT_ERROR(ParseSchemaText(R"({"type":"int"})"), ErrorCode::kInvalid, "must be a struct");
  EXPECT_ERROR(ParseSchemaText(R"("int")"), ErrorCode::kInvalid, "an object");
  EXPECT_ERROR(ParseSchemaText(R"({"type":"struct","identifier-field-ids":["a"],"fields":[]})"),
               ErrorCode::kInvalid, "identifier-field-ids[0]");
  EXPECT_ERROR(ParseSchemaText(
                   R"({"type":"struct","fields":[{"id":1,"name":"a","required":true,"type":"int"},)"
                   R"({"id":1,"name":"b","required":true,"type":"int"}]})"),
               ErrorCode::kInvalid, "two fields with id 1");
}

struct DefaultCase {
  const char* type;
  const char* json;
  Value value;
};

// The forms that Java writes for a v3 table with a default in each type.
TEST(SchemaJson, ReadsAndWritesDefaults) {
  const DefaultCase cases[] = {
      {R"("int")", "42", Value::Integer(42)},
      {R"("long")", "9007199254740993", Value::Integer(9007199254740993)},
      {R"("string")", R"("défaut")", Value::Bytes("défaut")},
      {R"("boolean")", "true", Value::Integer(1)},
      {R"("double")", "1.5", Value::Real(1.5)},
      {R"("float")", "-0.25", Value::Real(-0.25)},
      {R"j("decimal(9, 2)")j", R"("14.20")", Value::Decimal(1420)},
      {R"("date")", R"("1969-12-31")", Value::Integer(-1)},
      {R"("timestamptz")", R"("1969-12-31T23:59:59.999999+00:00")", Value::Integer(-1)},
      {R"("binary")", R"("00FF10")", Value::Bytes(std::string("\x00\xFF\x10", 3))},
      {R"("fixed[2]")", R"("BEEF")", Value::Bytes("\xBE\xEF")},
      {R"("time")", R"("22:31:08.123456")", Value::Integer(81068123456)},
      {R"("timestamp_ns")", R"("1970-01-01T00:00:00.123456789")", Value::Integer(123456789)},
  };
  for (const DefaultCase& c : cases) {
    const Schema schema = ParseColumn(
        c.type, fmt::format(R"(,"initial-default":{},"write-default":{})", c.json, c.json));
    EXPECT_EQ(schema.fields()[0].initial_default, c.value) << c.type;
    EXPECT_EQ(schema.fields()[0].write_default, c.value) << c.type;
    const ordered_json written = SchemaToJson(schema)["fields"][0];
    EXPECT_EQ(written["initial-default"].dump(), c.json);
    EXPECT_EQ(written["write-default"].dump(), c.json);
  }
}

TEST(SchemaJson, ANullDefaultIsNone) {
  EXPECT_FALSE(ParseDefault(R"("int")", "null").fields()[0].initial_default.has_value());
  EXPECT_FALSE(ParseColumn(R"("int")").fields()[0].initial_default.has_value());
}

TEST(SchemaJson, RefusesDefaultsThatDoNotFit) {
  for (const char* value : {"18446744073709551615", "9223372036854775808", "2147483648", "1.5",
                            R"("42")", "true", "100000000000000000000000"}) {
    EXPECT_ERROR(ParseDefault(R"("int")", value), ErrorCode::kInvalid, "") << value;
  }
  EXPECT_ERROR(ParseDefault(R"("long")", "9223372036854775808"), ErrorCode::kInvalid,
               "initial-default");
  for (const char* type : {R"("unknown")", R"("variant")", R"("geometry")", R"("geography")"}) {
    EXPECT_ERROR(ParseDefault(type, R"j("POINT (1 2)")j"), ErrorCode::kInvalid, "only be null")
        << type;
  }
}

// "Default values": a struct's default is {} and takes the defaults of its fields.
TEST(SchemaJson, TheDefaultOfAStructTakesThoseOfItsFields) {
  const char* point =
      R"({"type":"struct","fields":[)"
      R"({"id":2,"name":"x","required":false,"type":"int","initial-default":0,"write-default":1},)"
      R"({"id":3,"name":"y","required":false,"type":"int"}]})";
  const Schema schema = ParseColumn(point, R"(,"initial-default":{},"write-default":{"3":5})");
  const Field& field = schema.fields()[0];
  EXPECT_EQ(field.initial_default, Value::Nested({Value::Integer(0), Value::Null()}));
  EXPECT_EQ(field.write_default, Value::Nested({Value::Integer(1), Value::Integer(5)}));
  const ordered_json written = SchemaToJson(schema)["fields"][0];
  EXPECT_EQ(written["initial-default"].dump(), "{}");
  EXPECT_EQ(written["write-default"].dump(), R"({"3":5})");
  EXPECT_EQ(ParseSchemaText(SchemaToJson(schema).dump()), schema);
}

}  // namespace
}  // namespace nunatak
