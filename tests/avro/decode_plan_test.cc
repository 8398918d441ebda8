#include "nunatak/avro/decode_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "avro/test_support.h"

namespace nunatak::avro {
namespace {

using nunatak::testing::AvroBytes;

std::string RecordOf(const std::string& fields) {
  return R"({"type":"record","name":"r","fields":[)" + fields + "]}";
}

/// Decodes one record and returns the integer of slot 0; the slot must not be null.
int64_t ReadSlot0(const std::string& schema, const std::vector<Wanted>& wanted,
                  const std::string& record) {
  const std::shared_ptr<const DecodePlan> plan = CompilePlan(schema, wanted);
  RecordCursor cursor(*plan, BlockOf(record));
  EXPECT_TRUE(cursor.Next());
  EXPECT_FALSE(cursor.slot(0).is_null());
  return cursor.slot(0).integer();
}

std::string CompileError(const std::string& schema, const std::vector<Wanted>& wanted,
                         ErrorCode code = ErrorCode::kInvalid) {
  return MessageOf([&] { CompilePlan(schema, wanted); }, code);
}

const std::string kOneTwo = AvroBytes().Long(1).Long(2).bytes();

TEST(AvroDecodePlan, FindsFieldsByIdWhateverTheirName) {
  const std::string schema = RecordOf(
      R"({"name":"status","type":"long","field-id":7},{"name":"x","type":"long","field-id":0})");
  EXPECT_EQ(ReadSlot0(schema, {{.field_id = 0, .names = {"status"}, .slot = 0}}, kOneTwo), 2);
}

TEST(AvroDecodePlan, FindsFieldsWithoutIdsByName) {
  const std::string schema =
      RecordOf(R"({"name":"old","type":"long"},{"name":"new","type":"long"})");
  const auto read = [&](std::vector<std::string> names) {
    return ReadSlot0(schema, {{.field_id = 504, .names = std::move(names), .slot = 0}}, kOneTwo);
  };
  EXPECT_EQ(read({"new"}), 2);
  EXPECT_EQ(read({"newest", "new"}), 2);
  EXPECT_EQ(read({"new", "old"}), 2) << "the preferred name wins";
  EXPECT_EQ(read({"old", "new"}), 1) << "the preferred name wins";
}

TEST(AvroDecodePlan, FindsFieldsByTheirIcebergNameAndAliases) {
  const std::string schema = RecordOf(
      R"({"name":"a_x20key","type":"long","iceberg-field-name":"a key"},
         {"name":"b","type":"long","aliases":["beta"]})");
  EXPECT_EQ(ReadSlot0(schema, {{.names = {"a key"}, .slot = 0}}, kOneTwo), 1);
  EXPECT_EQ(ReadSlot0(schema, {{.names = {"beta"}, .slot = 0}}, kOneTwo), 2);
}

TEST(AvroDecodePlan, NeverMatchesAFieldOfAnotherIdByName) {
  const std::string schema = RecordOf(R"({"name":"a","type":"long","field-id":1})");
  EXPECT_FALSE(CompilePlan(schema, {{.field_id = 2, .names = {"a"}, .slot = 0}})->Has(0));
  // A wanted field without an id is found by its name alone.
  EXPECT_TRUE(CompilePlan(schema, {{.names = {"a"}, .slot = 0}})->Has(0));
}

TEST(AvroDecodePlan, TellsAbsentFieldsFromNullValues) {
  const std::string schema = RecordOf(R"({"name":"a","type":["null","long"]})");
  const std::shared_ptr<const DecodePlan> plan = CompilePlan(
      schema, {{.names = {"a"}, .slot = 0},
               {.names = {"b"}, .slot = 2},
               {.names = {"m"}, .kind = WantedKind::kList, .slot = 1, .children = {{.slot = 0}}}});
  EXPECT_EQ(plan->slot_count(), 3);
  EXPECT_TRUE(plan->Has(0));
  EXPECT_FALSE(plan->Has(1));
  EXPECT_FALSE(plan->Has(2));
  EXPECT_EQ(plan->type(2), nullptr);
  EXPECT_EQ(plan->items(1), nullptr);
  const std::string record = AvroBytes().Null().bytes();
  RecordCursor cursor(*plan, BlockOf(record));
  ASSERT_TRUE(cursor.Next());
  for (int slot = 0; slot < 3; ++slot) EXPECT_TRUE(cursor.slot(slot).is_null());
}

TEST(AvroDecodePlan, TellsTheWritersTypes) {
  const std::string schema = RecordOf(R"(
      {"name":"d","type":["null",{"type":"fixed","name":"dec","size":4,"logicalType":"decimal",
       "precision":9,"scale":2}]},
      {"name":"day","type":{"type":"int","logicalType":"date"}},
      {"name":"s","type":["string","null"]},
      {"name":"n","type":"null"},
      {"name":"o","type":["null"]})");
  const std::shared_ptr<const DecodePlan> plan = CompilePlan(schema, {{.names = {"d"}, .slot = 0},
                                                                      {.names = {"day"}, .slot = 1},
                                                                      {.names = {"s"}, .slot = 2},
                                                                      {.names = {"n"}, .slot = 3},
                                                                      {.names = {"o"}, .slot = 4}});
  EXPECT_EQ(plan->type(0)->type, Type::kFixed);
  EXPECT_EQ(plan->type(0)->logical, LogicalType::kDecimal);
  EXPECT_EQ(plan->type(0)->size, 4);
  EXPECT_EQ(plan->type(0)->precision, 9);
  EXPECT_EQ(plan->type(0)->scale, 2);
  EXPECT_EQ(plan->type(1)->type, Type::kInt);
  EXPECT_EQ(plan->type(1)->logical, LogicalType::kDate);
  EXPECT_EQ(plan->type(2)->type, Type::kString);
  EXPECT_EQ(plan->type(3)->type, Type::kNull);
  EXPECT_EQ(plan->type(4)->type, Type::kNull);
}

TEST(AvroDecodePlan, OutlivesTheCallersHoldOnTheSchema) {
  std::shared_ptr<const Schema> schema = Schema::Parse(
      RecordOf(R"({"name":"e","type":{"type":"enum","name":"e","symbols":["A","B"]}})"));
  const std::vector<Wanted> wanted = {{.names = {"e"}, .kind = WantedKind::kBytes, .slot = 0}};
  const std::shared_ptr<const DecodePlan> plan = DecodePlan::Compile(std::move(schema), wanted);
  const std::string record = AvroBytes().Long(1).bytes();
  RecordCursor cursor(*plan, BlockOf(record));
  ASSERT_TRUE(cursor.Next());
  EXPECT_EQ(cursor.slot(0).text(), "B");
}

TEST(AvroDecodePlan, RefusesTypesThatDoNotFit) {
  const std::pair<WantedKind, std::vector<std::string>> fitting[] = {
      {WantedKind::kBoolean, {"boolean"}},
      {WantedKind::kInteger, {"int", "long"}},
      {WantedKind::kReal, {"int", "long", "float", "double"}},
      {WantedKind::kBytes, {"bytes", "string", "fixed", "enum"}},
      {WantedKind::kRecord, {"record", "pair"}},
      {WantedKind::kList, {"array", "pairs"}},
      {WantedKind::kMap, {"map", "pairs"}},
      {WantedKind::kAny,
       {"boolean", "int", "long", "float", "double", "bytes", "string", "fixed", "enum"}},
  };
  const std::pair<std::string, std::string> types[] = {
      {"boolean", R"("boolean")"},
      {"int", R"("int")"},
      {"long", R"("long")"},
      {"float", R"("float")"},
      {"double", R"("double")"},
      {"bytes", R"("bytes")"},
      {"string", R"("string")"},
      {"fixed", R"({"type":"fixed","name":"x","size":3})"},
      {"enum", R"({"type":"enum","name":"x","symbols":["A"]})"},
      {"record", R"({"type":"record","name":"x","fields":[]})"},
      {"pair", R"({"type":"record","name":"x","fields":[{"name":"k","type":"int"},
                  {"name":"v","type":"int"}]})"},
      {"array", R"({"type":"array","items":"int"})"},
      {"map", R"({"type":"map","values":"int"})"},
      {"pairs", R"({"type":"array","items":{"type":"record","name":"x","fields":[
                   {"name":"k","type":"int"},{"name":"v","type":"int"}]}})"},
  };
  for (const auto& [kind, names] : fitting) {
    Wanted wanted{.field_id = 5, .names = {"f"}, .kind = kind, .slot = 0};
    if (kind == WantedKind::kRecord) wanted.slot = -1;
    if (kind == WantedKind::kMap) wanted.children = {{.slot = 0}, {.slot = 1}};
    for (const auto& [name, json] : types) {
      if (kind == WantedKind::kList) {
        wanted.children = {{.slot = 0}};
        if (name == "pairs") wanted.children = {{.kind = WantedKind::kRecord}};
      }
      for (const std::string& type : {json, R"(["null",)" + json + "]"}) {
        const std::string schema = RecordOf(R"({"name":"f","type":)" + type + "}");
        if (std::ranges::find(names, name) != names.end()) {
          EXPECT_NO_THROW(CompilePlan(schema, {wanted})) << static_cast<int>(kind) << " " << name;
        } else {
          EXPECT_CONTAINS(CompileError(schema, {wanted}), "field 'f' (id 5) should be")
              << static_cast<int>(kind) << " " << name;
        }
      }
    }
  }
}

TEST(AvroDecodePlan, RefusesAmbiguousFields) {
  const std::string twice = RecordOf(
      R"({"name":"a","type":"long","field-id":1},{"name":"b","type":"long","field-id":1})");
  EXPECT_CONTAINS(CompileError(twice, {{.field_id = 1, .names = {"a"}, .slot = 0}}),
                  "record 'r' has more than one field 'a' (id 1)");
  const std::string one = RecordOf(R"({"name":"a","type":"long"})");
  EXPECT_CONTAINS(
      CompileError(one, {{.names = {"a"}, .slot = 0}, {.names = {"z", "a"}, .slot = 1}}),
      "field 'a' of record 'r' stands for both field 'a' and field 'z'");
  const std::string mixed = RecordOf(R"({"name":"a","type":["int","string"]})");
  EXPECT_CONTAINS(CompileError(mixed, {{.names = {"a"}, .slot = 0}}), "may have several types");
}

TEST(AvroDecodePlan, RefusesRootsThatAreNoRecords) {
  EXPECT_CONTAINS(CompileError("\"int\"", {}),
                  "the root should be a record, but is the type 'int'");
}

TEST(AvroDecodePlan, RefusesWantedTreesThatMakeNoSense) {
  const std::string schema = RecordOf(R"({"name":"a","type":"long"})");
  const Wanted cases[] = {
      {.names = {"a"}},
      {.names = {"a"}, .kind = WantedKind::kRecord, .slot = 0},
      {.names = {"a"}, .kind = WantedKind::kList, .slot = 0},
      {.names = {"a"}, .kind = WantedKind::kMap, .slot = 0, .children = {{.slot = 0}}},
      {.names = {"a"}, .slot = 0, .children = {{.slot = 1}}},
  };
  for (const Wanted& wanted : cases) {
    EXPECT_CONTAINS(CompileError(schema, {wanted}, ErrorCode::kUsage), "field 'a' is wanted with");
  }
}

// A long chain of types that refer to each other is refused, rather than overflowing the stack.
TEST(AvroDecodePlan, BoundsTheDepthOfTypes) {
  const auto chain = [](int length) {
    std::string fields = R"({"name":"f0","type":{"type":"record","name":"t0","fields":[
                            {"name":"x","type":"string"},{"name":"y","type":"string"}]}})";
    for (int i = 1; i < length; ++i) {
      const std::string n = std::to_string(i);
      fields += R"(,{"name":"f)" + n + R"(","type":{"type":"record","name":"t)" + n +
                R"(","fields":[{"name":"x","type":"t)" + std::to_string(i - 1) +
                R"("},{"name":"y","type":"string"}]}})";
    }
    return RecordOf(fields + R"(,{"name":"list","type":{"type":"array","items":"t)" +
                    std::to_string(length - 1) + R"("}})");
  };
  // In the order of the schema each type is compiled before the next one needs it.
  EXPECT_NO_THROW(CompilePlan(chain(20000), {}));
  // The items' own plan needs them all at once.
  const std::vector<Wanted> list = {{.names = {"list"},
                                     .kind = WantedKind::kList,
                                     .slot = 0,
                                     .children = {{.kind = WantedKind::kRecord}}}};
  EXPECT_NO_THROW(CompilePlan(chain(400), list));
  EXPECT_CONTAINS(CompileError(chain(20000), list, ErrorCode::kUnsupported),
                  "types nested deeper than 500 levels");
}

// Types that are referred to twice at each level would take 2^60 instructions if they were copied.
TEST(AvroDecodePlan, StaysAsSmallAsTheSchema) {
  std::string fields = R"({"name":"f0","type":{"type":"record","name":"t0","fields":[
                          {"name":"x","type":"string"},{"name":"y","type":"long"}]}})";
  for (int i = 1; i < 60; ++i) {
    const std::string former = R"("t)" + std::to_string(i - 1) + R"(")";
    fields += R"(,{"name":"f","type":["null",{"type":"record","name":"t)" + std::to_string(i) +
              R"(","fields":[{"name":"x","type":)" + former + R"(},{"name":"y","type":)" + former +
              R"(}]}]})";
  }
  const std::shared_ptr<const DecodePlan> plan = CompilePlan(RecordOf(fields), {});
  EXPECT_LT(plan->programs().bodies.size(), 200u);
}

TEST(AvroDecodePlan, MergesWhatIsNotWanted) {
  const std::string schema = RecordOf(R"(
      {"name":"a","type":"int"},{"name":"b","type":"long"},
      {"name":"c","type":{"type":"record","name":"in","fields":[
        {"name":"x","type":"long"},{"name":"y","type":{"type":"record","name":"none","fields":[]}}]}},
      {"name":"d","type":"double"},{"name":"e","type":"boolean"},
      {"name":"f","type":{"type":"fixed","name":"f","size":7}},
      {"name":"g","type":"long"})");
  const std::shared_ptr<const DecodePlan> plan = CompilePlan(schema, {{.names = {"g"}, .slot = 0}});
  const Program& program = plan->programs().bodies[0];
  ASSERT_EQ(program.size(), 3u);
  EXPECT_EQ(program[0].code, OpCode::kSkipVarints);
  EXPECT_EQ(program[0].count, 3);
  EXPECT_EQ(program[1].code, OpCode::kSkipBytes);
  EXPECT_EQ(program[1].count, 16);
  EXPECT_EQ(program[2].code, OpCode::kReadLong);
}

}  // namespace
}  // namespace nunatak::avro
