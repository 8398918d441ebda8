#include "nunatak/read/row_encoder.h"

#include <arrow/json/from_string.h>
#include <gtest/gtest.h>

#include <cmath>

#include "nunatak/read/arrow_schema.h"
#include "read/scan_fixture.h"

namespace nunatak {
namespace {

/// The bytes of each row of a column that is written as JSON.
std::vector<std::string> Encoded(const Type& type, const std::string& json) {
  const std::vector<Field> fields = {TableColumn(1, "c", type)};
  const std::vector<std::shared_ptr<arrow::Array>> columns = {
      arrow::json::ArrayFromJSONString(ArrowTypeOf(type), json).ValueOrDie()};
  const RowEncoder encoder(fields, columns);
  std::vector<std::string> rows(static_cast<size_t>(columns[0]->length()));
  for (size_t i = 0; i < rows.size(); ++i) encoder.Append(static_cast<int64_t>(i), &rows[i]);
  return rows;
}

void ExpectAllDiffer(const Type& type, const std::string& json) {
  const std::vector<std::string> rows = Encoded(type, json);
  EXPECT_EQ(rows, Encoded(type, json));
  for (size_t i = 0; i < rows.size(); ++i) {
    for (size_t k = 0; k < i; ++k) EXPECT_NE(rows[i], rows[k]) << json << ": " << k << ", " << i;
  }
}

Field Part(int32_t id, const char* name, Type type) {
  return TableColumn(id, name, std::move(type));
}

TEST(RowEncoder, DifferentValuesHaveDifferentBytes) {
  ExpectAllDiffer(TypeId::kInt, "[null, 0, 1, -1, 256]");
  ExpectAllDiffer(TypeId::kDouble, "[null, 0.0, -0.0, 1.5, NaN, Inf, -Inf]");
  ExpectAllDiffer(TypeId::kString, R"([null, "", "a", "ab"])");
  ExpectAllDiffer(Type::Decimal(9, 2), R"([null, "0.00", "1.00", "-1.00"])");
  ExpectAllDiffer(
      Type::Struct({Part(2, "a", TypeId::kString), Part(3, "b", TypeId::kString)}),
      R"([null, {}, {"a": ""}, {"b": ""}, {"a": "x", "b": "yz"}, {"a": "xy", "b": "z"}])");
  ExpectAllDiffer(Type::List(Part(2, "element", TypeId::kInt)),
                  "[null, [], [null], [1], [1, 2], [2, 1], [1, 1]]");
  ExpectAllDiffer(Type::List(Part(2, "element", Type::List(Part(3, "element", TypeId::kInt)))),
                  "[[], [[]], [[], []], [[1], []], [[], [1]], [null]]");
}

TEST(RowEncoder, AMapHasNoOrder) {
  const Type type = Type::Map(Part(2, "key", TypeId::kString), Part(3, "value", TypeId::kInt));
  const auto rows = Encoded(type, R"([[["a", 1], ["b", 2]], [["b", 2], ["a", 1]],
                                      [["a", 2], ["b", 1]], [], null])");
  EXPECT_EQ(rows[0], rows[1]);
  EXPECT_NE(rows[0], rows[2]);
  EXPECT_NE(rows[3], rows[4]);
}

TEST(RowEncoder, AllNansAreOne) {
  arrow::DoubleBuilder builder;
  for (const double value : {std::nan("1"), std::nan("2"), -std::nan("3")}) {
    ASSERT_TRUE(builder.Append(value).ok());
  }
  const std::vector<Field> fields = {TableColumn(1, "c", TypeId::kDouble)};
  const std::vector<std::shared_ptr<arrow::Array>> columns = {*builder.Finish()};
  const RowEncoder encoder(fields, columns);
  std::string rows[3];
  for (int64_t i = 0; i < 3; ++i) encoder.Append(i, &rows[i]);
  EXPECT_EQ(rows[0], rows[1]);
  EXPECT_EQ(rows[0], rows[2]);
}

}  // namespace
}  // namespace nunatak
