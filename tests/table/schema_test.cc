#include "nunatak/table/schema.h"

#include <gtest/gtest.h>

#include "table/thrown_error.h"

namespace nunatak {
namespace {

Field Required(int32_t id, std::string name, Type type) {
  Field field;
  field.id = id;
  field.name = std::move(name);
  field.required = true;
  field.type = std::move(type);
  return field;
}

Field Optional(int32_t id, std::string name, Type type) {
  Field field = Required(id, std::move(name), std::move(type));
  field.required = false;
  return field;
}

/// id, place {lat, lon}, tags [string], attributes {string: {x}}, "place.lat" as a plain column.
Schema Sample() {
  const Type place =
      Type::Struct({Required(3, "lat", TypeId::kDouble), Optional(4, "lon", TypeId::kDouble)});
  const Type tags = Type::List(Required(6, "element", TypeId::kString));
  const Type attribute = Type::Struct({Required(10, "x", TypeId::kInt)});
  const Type attributes =
      Type::Map(Required(8, "key", TypeId::kString), Optional(9, "value", attribute));
  return Schema(
      3,
      {Required(1, "id", TypeId::kLong), Required(2, "place", place), Required(5, "tags", tags),
       Required(7, "attributes", attributes), Optional(11, "place.lon", TypeId::kString)},
      {1});
}

int32_t IdOf(const Schema& schema, std::string_view name, bool case_sensitive = true) {
  const Field* field = schema.FindField(name, case_sensitive);
  return field ? field->id : -1;
}

TEST(Schema, WithoutFieldsIsASchema) {
  const Schema schema;
  EXPECT_EQ(schema.schema_id(), 0);
  EXPECT_TRUE(schema.fields().empty());
  EXPECT_EQ(schema.FindField(1), nullptr);
  EXPECT_EQ(schema.FindField("a"), nullptr);
  EXPECT_EQ(schema, Schema(0, {}));
}

TEST(Schema, FindsFieldsById) {
  const Schema schema = Sample();
  for (int32_t id = 1; id <= 11; ++id) {
    ASSERT_NE(schema.FindField(id), nullptr) << id;
    EXPECT_EQ(schema.FindField(id)->id, id);
  }
  EXPECT_EQ(schema.FindField(0), nullptr);
  EXPECT_EQ(schema.FindField(12), nullptr);
}

TEST(Schema, FindsFieldsByPath) {
  const Schema schema = Sample();
  EXPECT_EQ(IdOf(schema, "id"), 1);
  EXPECT_EQ(IdOf(schema, "place"), 2);
  EXPECT_EQ(IdOf(schema, "place.lat"), 3);
  EXPECT_EQ(IdOf(schema, "tags.element"), 6);
  EXPECT_EQ(IdOf(schema, "attributes.key"), 8);
  EXPECT_EQ(IdOf(schema, "attributes.value.x"), 10);
  for (const char* name : {"", "i", "idx", "lat", "place.", ".place", "place.lat.x", "ID"}) {
    EXPECT_EQ(IdOf(schema, name), -1) << name;
  }
}

TEST(Schema, PrefersATopLevelNameWithDots) {
  EXPECT_EQ(IdOf(Sample(), "place.lon"), 11);
  EXPECT_EQ(IdOf(Sample(), "PLACE.LON", false), 11);
}

TEST(Schema, FindsPathsThroughNamesWithDots) {
  const Type inner = Type::Struct({Optional(2, "c.d", TypeId::kInt)});
  const Schema schema(0, {Optional(1, "a.b", inner), Optional(3, "a", TypeId::kInt)});
  EXPECT_EQ(IdOf(schema, "a.b.c.d"), 2);
  EXPECT_EQ(schema.NameOf(2), "a.b.c.d");
}

TEST(Schema, ResolvesWithoutCaseUnlessAmbiguous) {
  const Type parts = Type::Struct({Optional(4, "x", TypeId::kInt), Optional(5, "X", TypeId::kInt)});
  const Schema schema(0, {Optional(1, "Id", TypeId::kInt), Optional(2, "iD", TypeId::kInt),
                          Optional(3, "Point", parts)});
  EXPECT_EQ(IdOf(schema, "point", false), 3);
  EXPECT_EQ(IdOf(schema, "point"), -1);
  EXPECT_EQ(IdOf(schema, "Id"), 1);
  EXPECT_EQ(IdOf(schema, "other", false), -1);
  EXPECT_ERROR(schema.FindField("Id", false), ErrorCode::kUsage, "'iD'");
  EXPECT_ERROR(schema.FindField("point.x", false), ErrorCode::kUsage, "'Point.X'");
}

TEST(Schema, RefusesTwoFieldsOfOneId) {
  EXPECT_ERROR(Schema(4, {Optional(1, "a", TypeId::kInt), Optional(1, "b", TypeId::kInt)}),
               ErrorCode::kInvalid, "schema 4 has two fields with id 1: 'a' and 'b'");
  const Type list = Type::List(Optional(1, "element", TypeId::kInt));
  EXPECT_ERROR(Schema(0, {Optional(1, "a", list)}), ErrorCode::kInvalid, "id 1");
}

TEST(Schema, RefusesTwoFieldsOfOneNameInOneStruct) {
  EXPECT_ERROR(Schema(4, {Optional(1, "a", TypeId::kInt), Optional(2, "a", TypeId::kString)}),
               ErrorCode::kInvalid,
               "schema 4 has two fields named 'a' side by side, of ids 1 and 2");
  const Type twins = Type::Struct({Optional(3, "x", TypeId::kInt), Optional(4, "x", TypeId::kInt)});
  EXPECT_ERROR(Schema(0, {Optional(1, "a", twins)}), ErrorCode::kInvalid, "ids 3 and 4");
  const Type other = Type::Struct({Optional(5, "a", TypeId::kInt), Optional(6, "A", TypeId::kInt)});
  EXPECT_EQ(IdOf(Schema(0, {Optional(1, "a", other), Optional(2, "b", TypeId::kInt)}), "a.a"), 5);
}

TEST(Schema, KnowsThePathToAField) {
  const Schema schema = Sample();
  EXPECT_EQ(schema.PathTo(1), (std::vector<int32_t>{1}));
  EXPECT_EQ(schema.PathTo(10), (std::vector<int32_t>{7, 9, 10}));
  EXPECT_TRUE(schema.PathTo(99).empty());
  EXPECT_EQ(schema.NameOf(10), "attributes.value.x");
  EXPECT_EQ(schema.NameOf(99), "");
}

TEST(Schema, KnowsWhichFieldsRepeat) {
  const Schema schema = Sample();
  for (int32_t id : {6, 8, 9, 10}) EXPECT_TRUE(schema.IsRepeated(id)) << id;
  for (int32_t id : {1, 2, 3, 4, 5, 7, 11, 99}) EXPECT_FALSE(schema.IsRepeated(id)) << id;
}

TEST(Schema, KnowsWhichFieldsMayBeNull) {
  const Schema schema = Sample();
  for (int32_t id : {4, 9, 10, 11}) EXPECT_TRUE(schema.IsNullable(id)) << id;
  for (int32_t id : {1, 2, 3, 5, 6, 7, 8}) EXPECT_FALSE(schema.IsNullable(id)) << id;
}

TEST(Schema, FieldsOutliveTheCopyTheyWereFoundIn) {
  Schema kept;
  const Field* field = nullptr;
  {
    const Schema schema = Sample();
    field = schema.FindField("place.lat");
    kept = schema;
  }
  EXPECT_EQ(field->name, "lat");
  EXPECT_EQ(kept, Sample());
  EXPECT_FALSE(kept == Schema(3, {}, {1}));
}

}  // namespace
}  // namespace nunatak
