#include "nunatak/read/select_fields.h"

#include <gtest/gtest.h>

#include "nunatak/table/metadata_columns.h"
#include "read/scan_fixture.h"

namespace nunatak {
namespace {

Schema Nested() {
  const Type point =
      Type::Struct({TableColumn(3, "x", TypeId::kInt), TableColumn(4, "y", TypeId::kInt)});
  return TableOf({
      TableColumn(1, "id", TypeId::kLong),
      TableColumn(2, "p", point),
      TableColumn(5, "l",
                  Type::List(TableColumn(6, "element",
                                         Type::Struct({TableColumn(7, "a", TypeId::kInt),
                                                       TableColumn(8, "b", TypeId::kInt)})))),
      TableColumn(9, "m",
                  Type::Map(TableColumn(10, "key", TypeId::kString, true),
                            TableColumn(11, "value",
                                        Type::Struct({TableColumn(12, "c", TypeId::kInt),
                                                      TableColumn(13, "d", TypeId::kInt)})))),
      TableColumn(14, "a.b", TypeId::kInt),
  });
}

std::string Select(std::vector<std::string> names, bool case_sensitive = true) {
  return SelectFields(Nested(), names, case_sensitive).AsStruct().ToString();
}

TEST(SelectFields, TakesColumnsInTheOrderNamed) {
  EXPECT_EQ(Select({"p", "id"}),
            "struct<2: p: optional struct<3: x: optional int, 4: y: optional int>, "
            "1: id: optional long>");
  EXPECT_EQ(Select({}), "struct<>");
}

TEST(SelectFields, PrunesStructsListsAndMapValues) {
  EXPECT_EQ(Select({"p.y"}), "struct<2: p: optional struct<4: y: optional int>>");
  EXPECT_EQ(Select({"p.y", "id", "p.x"}),
            "struct<2: p: optional struct<3: x: optional int, 4: y: optional int>, "
            "1: id: optional long>");
  const Schema list = SelectFields(Nested(), std::vector<std::string>{"l.element.b"});
  EXPECT_EQ(list.FindField(7), nullptr);
  EXPECT_NE(list.FindField(8), nullptr);
  const Schema map = SelectFields(Nested(), std::vector<std::string>{"m.value.d"});
  EXPECT_EQ(map.FindField(12), nullptr);
  EXPECT_NE(map.FindField(13), nullptr);
  EXPECT_NE(map.FindField(10), nullptr);
}

TEST(SelectFields, AMapKeySelectsTheWholeMap) {
  const Schema map = SelectFields(Nested(), std::vector<std::string>{"m.key"});
  EXPECT_EQ(*map.FindField(9), *Nested().FindField(9));
}

TEST(SelectFields, DefaultsArePrunedWithTheirType) {
  const auto number = [](int64_t value) { return Value::Integer(value); };
  // A struct of two numbers, whose ids follow `id`.
  const auto pair = [](int32_t id) {
    return Type::Struct(
        {TableColumn(id + 1, "a", TypeId::kInt), TableColumn(id + 2, "b", TypeId::kInt)});
  };
  const Value one_two = Value::Nested({number(1), number(2)});
  const Type outer =
      Type::Struct({TableColumn(2, "x", TypeId::kInt), TableColumn(3, "in", pair(3), one_two)});
  const Schema table =
      TableOf({TableColumn(1, "p", outer, Value::Nested({number(6), one_two})),
               TableColumn(10, "l", Type::List(TableColumn(11, "element", pair(11))),
                           Value::Nested({one_two, Value::Null()})),
               TableColumn(20, "m",
                           Type::Map(TableColumn(21, "key", TypeId::kInt, true),
                                     TableColumn(22, "value", pair(22))),
                           Value::Nested({Value::Nested({number(5), one_two})}))});
  const Schema selected =
      SelectFields(table, std::vector<std::string>{"p.in.b", "l.element.b", "m.value.b"});
  const Value two = Value::Nested({number(2)});
  EXPECT_EQ(selected.FindField(1)->initial_default, Value::Nested({two}));
  EXPECT_EQ(selected.FindField(3)->initial_default, two);
  EXPECT_EQ(selected.FindField(10)->initial_default, Value::Nested({two, Value::Null()}));
  EXPECT_EQ(selected.FindField(20)->initial_default,
            Value::Nested({Value::Nested({number(5), two})}));
  EXPECT_EQ(PruneToField(table, 2).initial_default, Value::Nested({number(6)}));
}

TEST(SelectFields, ATopLevelNameMayHaveDots) {
  EXPECT_EQ(Select({"a.b"}), "struct<14: a.b: optional int>");
}

TEST(SelectFields, IgnoresCaseWhenAsked) {
  EXPECT_EQ(Select({"P.Y"}, false), "struct<2: p: optional struct<4: y: optional int>>");
  EXPECT_EQ(ErrorFrom([] { Select({"P.Y"}); }).code(), ErrorCode::kUsage);
}

TEST(SelectFields, RefusesUnknownNames) {
  const Error unknown = ErrorFrom([] { Select({"nope"}); });
  EXPECT_EQ(unknown.code(), ErrorCode::kUsage);
  EXPECT_NE(unknown.message().find("nope"), std::string::npos);
  EXPECT_EQ(ErrorFrom([] { Select({"_file"}); }).code(), ErrorCode::kUsage);
}

TEST(SelectFields, AStarStandsForAllButMetadataColumns) {
  const auto select = [](std::vector<Field> fields, std::vector<std::string> names) {
    const Schema schema =
        WithMetadataColumns(TableOf(std::move(fields)), Type::Struct({}), /*last_column_id=*/9);
    const Schema selection = SelectFields(schema, names);
    std::string selected;
    for (const Field& field : selection.fields()) selected += field.name + " ";
    return selected;
  };
  const Field a = TableColumn(1, "a", TypeId::kInt);
  const Field b = TableColumn(2, "b", TypeId::kInt);
  EXPECT_EQ(select({a, b}, {"*"}), "a b ");
  EXPECT_EQ(select({a, b}, {"*", "_pos"}), "a b _pos ");
  EXPECT_EQ(select({a, b}, {"_file", "b", "*"}), "_file b a ");
  EXPECT_EQ(select({a, TableColumn(3, "*", TypeId::kInt)}, {"*"}), "* ");
}

TEST(PruneToField, KeepsThePathAlone) {
  EXPECT_EQ(PruneToField(Nested(), 4).type.ToString(), "struct<4: y: optional int>");
  EXPECT_EQ(PruneToField(Nested(), 1).name, "id");
}

}  // namespace
}  // namespace nunatak
