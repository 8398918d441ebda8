#include "nunatak/avro/schema.h"

#include <gtest/gtest.h>

#include <string>

#include "avro/test_support.h"

namespace nunatak::avro {
namespace {

std::string FieldType(std::string_view type) {
  return R"({"type":"record","name":"r","fields":[{"name":"f","type":)" + std::string(type) + "}]}";
}

/// The type of the only field of a record.
struct Parsed {
  explicit Parsed(std::string_view type) : schema(Schema::Parse(FieldType(type))) {}
  const Node& operator*() const { return *schema->root().fields.at(0).type; }
  const Node* operator->() const { return &**this; }
  std::shared_ptr<const Schema> schema;
};

std::string ParseError(std::string_view json) {
  return MessageOf([&] { Schema::Parse(json); });
}

TEST(AvroSchema, ReadsEveryPrimitive) {
  const std::pair<std::string_view, Type> cases[] = {
      {"null", Type::kNull},   {"boolean", Type::kBoolean}, {"int", Type::kInt},
      {"long", Type::kLong},   {"float", Type::kFloat},     {"double", Type::kDouble},
      {"bytes", Type::kBytes}, {"string", Type::kString},
  };
  for (const auto& [name, type] : cases) {
    EXPECT_EQ(Parsed("\"" + std::string(name) + "\"")->type, type) << name;
    EXPECT_EQ(Parsed("{\"type\":\"" + std::string(name) + "\"}")->type, type) << name;
    EXPECT_EQ(ToString(type), name);
  }
}

TEST(AvroSchema, ReadsWrappedTypes) {
  EXPECT_EQ(Parsed(R"({"type":{"type":"int"}})")->type, Type::kInt);
  EXPECT_EQ(Parsed(R"({"type":{"type":{"type":"string"}}})")->type, Type::kString);
  const Parsed optional(R"({"type":["null",{"type":{"type":"long"}}]})");
  ASSERT_EQ(optional->type, Type::kUnion);
  EXPECT_EQ(optional->branches.at(1)->type, Type::kLong);
  EXPECT_EQ(Parsed(R"({"type":{"type":"array","items":{"type":["null","int"]}}})")->item->type,
            Type::kUnion);
  EXPECT_EQ(Parsed(R"({"type":{"type":"int"},"logicalType":"date"})")->logical, LogicalType::kDate);
}

TEST(AvroSchema, ReadsComplexTypes) {
  const Parsed record(R"({"type":"record","name":"inner","fields":[
      {"name":"a","type":"int","field-id":7,"aliases":["b","c"],"iceberg-field-name":"a b"},
      {"name":"z","type":"int","field-id":null}]})");
  ASSERT_EQ(record->fields.size(), 2u);
  const Field& a = record->fields[0];
  EXPECT_EQ(a.name, "a");
  EXPECT_EQ(a.id, 7);
  EXPECT_EQ(a.aliases, (std::vector<std::string>{"b", "c"}));
  EXPECT_EQ(a.iceberg_name, "a b");
  EXPECT_EQ(record->fields[1].id, std::nullopt);

  EXPECT_EQ(Parsed(R"({"type":"fixed","name":"f","size":16})")->size, 16);
  EXPECT_EQ(Parsed(R"({"type":"enum","name":"e","symbols":["A","B"]})")->symbols,
            (std::vector<std::string>{"A", "B"}));
  const Parsed array(R"({"type":"array","items":"long","element-id":133})");
  EXPECT_EQ(array->item->type, Type::kLong);
  EXPECT_EQ(array->element_id, 133);
  const Parsed map(R"({"type":"map","values":"bytes","key-id":10,"value-id":11})");
  EXPECT_EQ(map->item->type, Type::kBytes);
  EXPECT_EQ(map->key_id, 10);
  EXPECT_EQ(map->value_id, 11);
}

TEST(AvroSchema, ReadsLogicalTypes) {
  const std::pair<std::string_view, LogicalType> cases[] = {
      {R"({"type":"int","logicalType":"date"})", LogicalType::kDate},
      {R"({"type":"int","logicalType":"time-millis"})", LogicalType::kTimeMillis},
      {R"({"type":"long","logicalType":"time-micros"})", LogicalType::kTimeMicros},
      {R"({"type":"long","logicalType":"timestamp-millis"})", LogicalType::kTimestampMillis},
      {R"({"type":"long","logicalType":"timestamp-micros"})", LogicalType::kTimestampMicros},
      {R"({"type":"long","logicalType":"timestamp-nanos"})", LogicalType::kTimestampNanos},
      {R"({"type":"long","logicalType":"local-timestamp-micros"})",
       LogicalType::kLocalTimestampMicros},
      {R"({"type":"string","logicalType":"uuid"})", LogicalType::kUuid},
      {R"({"type":"fixed","name":"u","size":16,"logicalType":"uuid"})", LogicalType::kUuid},
      {R"({"type":"bytes","logicalType":"decimal","precision":9,"scale":2})",
       LogicalType::kDecimal},
      {R"({"type":"bytes","logicalType":"decimal","precision":9})", LogicalType::kDecimal},
      {R"({"type":"array","logicalType":"map","items":"int"})", LogicalType::kMap},
  };
  for (const auto& [json, logical] : cases) EXPECT_EQ(Parsed(json)->logical, logical) << json;

  const Parsed decimal(
      R"({"type":"fixed","name":"d","size":4,"logicalType":"decimal","precision":9,"scale":2})");
  EXPECT_EQ(decimal->precision, 9);
  EXPECT_EQ(decimal->scale, 2);
  EXPECT_TRUE(Parsed(R"({"type":"long","logicalType":"timestamp-micros","adjust-to-utc":true})")
                  ->adjust_to_utc);
  EXPECT_FALSE(Parsed(R"({"type":"long","logicalType":"timestamp-micros"})")->adjust_to_utc);
}

// Avro specification, "Logical Types": readers ignore what they do not know or what is not valid.
TEST(AvroSchema, FallsBackToTheBaseTypeOfUnknownOrInvalidLogicalTypes) {
  const std::pair<std::string_view, Type> cases[] = {
      {R"({"type":"int","logicalType":"foo"})", Type::kInt},
      {R"({"type":"string","logicalType":17})", Type::kString},
      {R"({"type":"string","logicalType":"date"})", Type::kString},
      {R"({"type":"fixed","name":"u","size":15,"logicalType":"uuid"})", Type::kFixed},
      {R"({"type":"bytes","logicalType":"decimal"})", Type::kBytes},
      {R"({"type":"bytes","logicalType":"decimal","precision":0})", Type::kBytes},
      {R"({"type":"bytes","logicalType":"decimal","precision":2,"scale":3})", Type::kBytes},
      {R"({"type":"bytes","logicalType":"decimal","precision":2,"scale":-1})", Type::kBytes},
      {R"({"type":"bytes","logicalType":"decimal","precision":"2"})", Type::kBytes},
  };
  for (const auto& [json, type] : cases) {
    EXPECT_EQ(Parsed(json)->type, type) << json;
    EXPECT_EQ(Parsed(json)->logical, LogicalType::kNone) << json;
  }
}

// The example of the specification, "Names".
TEST(AvroSchema, ResolvesNamesAndNamespaces) {
  const std::shared_ptr<const Schema> schema = Schema::Parse(R"({
    "type":"record","name":"Example","fields":[
      {"name":"inheritNull","type":{"type":"enum","name":"Simple","symbols":["a","b"]}},
      {"name":"explicitNamespace",
       "type":{"type":"fixed","name":"Simple","namespace":"explicit","size":12}},
      {"name":"fullName","type":{"type":"record","name":"a.full.Name","namespace":"ignored",
        "aliases":["Old","x.Older"],
        "fields":[{"name":"inheritNamespace",
          "type":{"type":"enum","name":"Understanding","symbols":["d","e"]}},
          {"name":"again","type":"Understanding"}]}},
      {"name":"simple","type":"Simple"},
      {"name":"other","type":{"type":"explicit.Simple"}}]})");
  const std::vector<Field>& fields = schema->root().fields;
  EXPECT_EQ(fields[0].type->name, "Simple");
  EXPECT_EQ(fields[1].type->name, "explicit.Simple");
  const Node& full = *fields[2].type;
  EXPECT_EQ(full.name, "a.full.Name");
  EXPECT_EQ(full.aliases, (std::vector<std::string>{"a.full.Old", "x.Older"}));
  EXPECT_EQ(full.fields[0].type->name, "a.full.Understanding");
  EXPECT_EQ(full.fields[1].type, full.fields[0].type);
  EXPECT_EQ(fields[3].type, fields[0].type);
  EXPECT_EQ(fields[4].type, fields[1].type);
}

TEST(AvroSchema, AllowsRecursion) {
  const std::shared_ptr<const Schema> schema = Schema::Parse(R"({
    "type":"record","name":"LongList","fields":[
      {"name":"value","type":"long"},{"name":"next","type":["null","LongList"]}]})");
  EXPECT_EQ(schema->root().fields[1].type->branches[1], &schema->root());
}

TEST(AvroSchema, AcceptsNamesThatAvroDoesNotAllow) {
  const std::shared_ptr<const Schema> schema = Schema::Parse(
      R"({"type":"record","name":"r 102","fields":[{"name":"9 lives 🐈","type":"int"}]})");
  EXPECT_EQ(schema->root().fields[0].name, "9 lives 🐈");
}

// A writer that repeats the definition of a decimal's fixed for each field is understood.
TEST(AvroSchema, AcceptsRepeatedDefinitionsUnlessAReferenceIsAmbiguous) {
  const std::string fixed4 = R"({"type":"fixed","name":"d","size":4})";
  const std::string fixed5 = R"({"type":"fixed","name":"d","size":5})";
  const auto record = [](const std::string& a, const std::string& b, const std::string& c) {
    return R"({"type":"record","name":"r","fields":[{"name":"a","type":)" + a +
           R"(},{"name":"b","type":)" + b + R"(},{"name":"c","type":)" + c + "}]}";
  };
  EXPECT_EQ(Schema::Parse(record(fixed4, fixed4, "\"d\""))->root().fields[2].type->size, 4);
  EXPECT_EQ(Schema::Parse(record(fixed4, fixed5, "\"int\""))->root().fields[1].type->size, 5);
  EXPECT_CONTAINS(ParseError(record(fixed4, fixed5, "\"d\"")),
                  "avro schema: fields[2]: c: 'd' refers to a name that is defined twice");
}

TEST(AvroSchema, RefusesWhatIsNoSchema) {
  const std::pair<std::string, std::string_view> cases[] = {
      {"", "avro schema: not valid JSON"},
      {"{", "avro schema: not valid JSON"},
      {"17", "expected an object"},
      {"{}", "'type' is missing"},
      {R"("strin")", "'strin' is neither a type of Avro nor defined before"},
      {R"({"type":"record","fields":[]})", "'name' is missing"},
      {R"({"type":"record","name":"r"})", "'fields' is missing"},
      {R"({"type":"record","name":"r","fields":[{"type":"int"}]})", "fields[0]: required field"},
      {FieldType("\"later\""), "fields[0]: f: 'later' is neither"},
      {FieldType("[]"), "a union needs at least one branch"},
      {FieldType(R"(["int",["null","long"]])"), "[1]: a union must not directly contain a union"},
      {FieldType(R"({"type":"array"})"), "'items' is missing"},
      {FieldType(R"({"type":"map"})"), "'values' is missing"},
      {FieldType(R"({"type":"fixed","name":"x"})"), "'size' is missing"},
      {FieldType(R"({"type":"fixed","name":"x","size":-1})"), "size: -1 is negative"},
      {FieldType(R"({"type":"fixed","name":"x","size":4294967296})"), "32-bit"},
      {FieldType(R"({"type":"enum","name":"x"})"), "'symbols' is missing"},
      {std::string(100000, '['), "not valid JSON"},
  };
  for (const auto& [json, message] : cases) {
    EXPECT_CONTAINS(ParseError(json), message) << json.substr(0, 200);
  }
}

}  // namespace
}  // namespace nunatak::avro
