#include "nunatak/hive/merge_fields.h"

#include <gtest/gtest.h>

#include "nunatak/base/error.h"

namespace nunatak::hive {
namespace {

Field Column(std::string name, Type type) {
  return {.name = std::move(name), .type = std::move(type)};
}

TEST(MergeFields, ColumnsAreOneByNameAndNewOnesComeLast) {
  std::vector<Field> fields = {Column("id", TypeId::kInt), Column("v", TypeId::kString)};
  MergeFields({Column("extra", TypeId::kDouble), Column("id", TypeId::kInt)}, &fields);
  EXPECT_EQ(fields, (std::vector<Field>{Column("id", TypeId::kInt), Column("v", TypeId::kString),
                                        Column("extra", TypeId::kDouble)}));
}

TEST(MergeFields, TypesPromoteWhicheverComesFirst) {
  struct Case {
    Type a;
    Type b;
    Type merged;
  };
  const std::vector<Case> cases = {
      {TypeId::kInt, TypeId::kLong, TypeId::kLong},
      {TypeId::kFloat, TypeId::kDouble, TypeId::kDouble},
      {Type::Decimal(9, 2), Type::Decimal(18, 2), Type::Decimal(18, 2)},
      {TypeId::kUnknown, TypeId::kDate, TypeId::kDate},
      {Type::Fixed(4), Type::Fixed(8), TypeId::kBinary},
      {Type::Fixed(4), TypeId::kBinary, TypeId::kBinary},
  };
  for (const Case& c : cases) {
    for (const auto& [first, second] : {std::pair(c.a, c.b), std::pair(c.b, c.a)}) {
      std::vector<Field> fields = {Column("x", first)};
      MergeFields({Column("x", second)}, &fields);
      EXPECT_EQ(fields[0].type, c.merged) << first.ToString() << " " << second.ToString();
    }
    EXPECT_EQ(Promotes(c.a, c.merged), c.a.id() != TypeId::kUnknown);
    EXPECT_EQ(Promotes(c.merged, c.a), c.merged == c.a);
  }
}

TEST(MergeFields, NestedFieldsMergeTheSameWay) {
  const auto list_of = [](Type type) { return Type::List(Column("element", std::move(type))); };
  std::vector<Field> fields = {Column("s", Type::Struct({Column("x", TypeId::kInt)})),
                               Column("l", list_of(TypeId::kInt))};
  MergeFields({Column("s", Type::Struct({Column("y", TypeId::kInt), Column("x", TypeId::kLong)})),
               Column("l", list_of(TypeId::kLong))},
              &fields);
  EXPECT_EQ(fields[0].type, Type::Struct({Column("x", TypeId::kLong), Column("y", TypeId::kInt)}));
  EXPECT_EQ(fields[1].type, list_of(TypeId::kLong));
}

TEST(MergeFields, TypesThatDoNotGoTogetherAreNamedWithTheirColumn) {
  const std::vector<std::pair<Type, Type>> cases = {
      {TypeId::kInt, TypeId::kString},
      {TypeId::kInt, TypeId::kDouble},
      {TypeId::kTimestamp, TypeId::kTimestampTz},
      {Type::Decimal(9, 2), Type::Decimal(9, 3)},
      {Type::Struct({Column("x", TypeId::kInt)}), TypeId::kInt}};
  for (const auto& [a, b] : cases) {
    std::vector<Field> fields = {Column("s", Type::Struct({Column("c", a)}))};
    try {
      MergeFields({Column("s", Type::Struct({Column("c", b)}))}, &fields);
      ADD_FAILURE() << a.ToString();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalid);
      for (const std::string& part :
           {std::string("column s: column c"), a.ToString(), b.ToString()}) {
        EXPECT_NE(error.message().find(part), std::string::npos) << error.message();
      }
    }
  }
}

TEST(MergeFields, IdsAreThoseOfANewTable) {
  const std::vector<Field> fields = WithFreshIds(
      {Column("s", Type::Struct({Column("x", TypeId::kInt), Column("y", TypeId::kInt)})),
       Column("l", Type::List(Column("element", TypeId::kInt))), Column("v", TypeId::kInt)});
  const Schema schema(0, fields);
  EXPECT_EQ(schema.FindField("s")->id, 1);
  EXPECT_EQ(schema.FindField("l")->id, 2);
  EXPECT_EQ(schema.FindField("v")->id, 3);
  EXPECT_EQ(schema.FindField("s.x")->id, 4);
  EXPECT_EQ(schema.FindField("s.y")->id, 5);
  EXPECT_EQ(schema.FindField("l.element")->id, 6);
}

}  // namespace
}  // namespace nunatak::hive
