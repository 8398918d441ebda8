#include "nunatak/read/cell.h"

#include <arrow/api.h>
#include <arrow/json/from_string.h>

#include "nunatak/read/arrow_schema.h"
#include "read/scan_fixture.h"

namespace nunatak {
namespace {

std::string Cell(const Type& type, const std::string& value) {
  const auto array =
      arrow::json::ArrayFromJSONString(ArrowTypeOf(type), "[" + value + "]").ValueOrDie();
  return CellToJson(type, *array, 0).dump();
}

TEST(CellToJson, EveryType) {
  EXPECT_EQ(Cell(TypeId::kBoolean, "true"), "true");
  EXPECT_EQ(Cell(TypeId::kInt, "-5"), "-5");
  EXPECT_EQ(Cell(TypeId::kLong, "-9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(Cell(TypeId::kFloat, "0.1"), "0.1");
  EXPECT_EQ(Cell(TypeId::kDouble, "-0.0"), "-0.0");
  EXPECT_EQ(Cell(TypeId::kDouble, "NaN"), R"("NaN")");
  EXPECT_EQ(Cell(TypeId::kDouble, "-Inf"), R"("-Infinity")");
  EXPECT_EQ(Cell(Type::Decimal(38, 2), R"("-123456789012345678901234567890.10")"),
            R"("-123456789012345678901234567890.10")");
  EXPECT_EQ(Cell(TypeId::kDate, "-1"), R"("1969-12-31")");
  EXPECT_EQ(Cell(TypeId::kTime, "43200000001"), R"("12:00:00.000001")");
  EXPECT_EQ(Cell(TypeId::kTimestamp, "-1"), R"("1969-12-31T23:59:59.999999")");
  EXPECT_EQ(Cell(TypeId::kTimestampTz, "0"), R"("1970-01-01T00:00:00+00:00")");
  EXPECT_EQ(Cell(TypeId::kTimestampNs, "1"), R"("1970-01-01T00:00:00.000000001")");
  EXPECT_EQ(Cell(TypeId::kString, R"("a\"b")"), R"("a\"b")");
  EXPECT_EQ(Cell(TypeId::kUuid, R"("0123456789abcdef")"),
            R"("30313233-3435-3637-3839-616263646566")");
  EXPECT_EQ(Cell(Type::Fixed(2), R"("~z")"), R"("7E7A")");
  EXPECT_EQ(Cell(TypeId::kBinary, R"("")"), R"("")");
  EXPECT_EQ(Cell(TypeId::kUnknown, "null"), "null");
  EXPECT_EQ(Cell(TypeId::kInt, "null"), "null");
}

TEST(CellToJson, NestedValues) {
  const Type point =
      Type::Struct({TableColumn(3, "x", TypeId::kInt), TableColumn(4, "y", TypeId::kDate)});
  const Type list = Type::List(TableColumn(2, "element", point));
  EXPECT_EQ(Cell(list, "[[1, 0], null, [null, null]]"),
            R"([{"x":1,"y":"1970-01-01"},null,{"x":null,"y":null}])");
  EXPECT_EQ(Cell(list, "[]"), "[]");
  EXPECT_EQ(Cell(list, "null"), "null");
  const Type map = Type::Map(TableColumn(5, "key", TypeId::kString, true),
                             TableColumn(6, "value", TypeId::kLong));
  EXPECT_EQ(Cell(map, R"([["b", 1], ["a", null]])"), R"({"keys":["b","a"],"values":[1,null]})");
}

TEST(CellToValue, HasTheFormOfItsType) {
  const auto value_of = [](const Type& type, const std::string& json) {
    const auto array =
        arrow::json::ArrayFromJSONString(ArrowTypeOf(type), "[" + json + "]").ValueOrDie();
    return CellToValue(type, *array, 0);
  };
  EXPECT_EQ(value_of(TypeId::kDate, "-1"), Value::Integer(-1));
  EXPECT_EQ(value_of(TypeId::kFloat, "0.5"), Value::Real(0.5));
  EXPECT_EQ(value_of(Type::Decimal(5, 2), R"("-1.25")"), Value::Decimal(-125));
  EXPECT_EQ(value_of(TypeId::kString, R"("x")"), Value::Bytes("x"));
  EXPECT_EQ(value_of(TypeId::kInt, "null"), Value::Null());
  const Type point =
      Type::Struct({TableColumn(3, "x", TypeId::kInt), TableColumn(4, "y", TypeId::kDate)});
  EXPECT_EQ(value_of(Type::List(TableColumn(2, "element", point)), "[[1, null], null]"),
            Value::Nested({Value::Nested({Value::Integer(1), Value::Null()}), Value::Null()}));
  const Type map = Type::Map(TableColumn(5, "key", TypeId::kString, true),
                             TableColumn(6, "value", TypeId::kLong));
  EXPECT_EQ(value_of(map, R"([["b", 1]])"),
            Value::Nested({Value::Nested({Value::Bytes("b"), Value::Integer(1)})}));
}

TEST(RowToJson, ReadsTheRowOfASlice) {
  const Schema table =
      TableOf({TableColumn(1, "id", TypeId::kInt),
               TableColumn(2, "s", Type::Struct({TableColumn(3, "x", TypeId::kInt)})),
               TableColumn(4, "l", Type::List(TableColumn(5, "element", TypeId::kInt)))});
  const auto rows =
      arrow::json::ArrayFromJSONString(arrow::struct_(ArrowSchemaOf(table)->fields()),
                                       "[[1, [10], [1]], [2, [20], [2, 3]], [3, null, null]]")
          .ValueOrDie();
  const auto batch = arrow::RecordBatch::FromStructArray(rows).ValueOrDie()->Slice(1, 2);
  EXPECT_EQ(RowToJson(table, *batch, 0).dump(), R"({"id":2,"s":{"x":20},"l":[2,3]})");
  EXPECT_EQ(RowToJson(table, *batch, 1).dump(), R"({"id":3,"s":null,"l":null})");
}

}  // namespace
}  // namespace nunatak
