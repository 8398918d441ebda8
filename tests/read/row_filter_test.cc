#include "nunatak/read/row_filter.h"

#include <arrow/api.h>

#include <random>
#include <type_traits>

#include "nunatak/expr/bound_filter.h"
#include "nunatak/expr/evaluate.h"
#include "nunatak/read/select_fields.h"
#include "nunatak/read/value_reader.h"
#include "read/scan_fixture.h"

namespace nunatak {
namespace {

class RowFilterTest : public ScanTest {
 protected:
  FileScanTask Filtered(const Schema& table, FileScanTask task, std::string_view filter) {
    task.residual = std::make_shared<BoundFilter>(BindFilter(filter, table));
    return task;
  }
  /// The values of column `id` in the rows that pass.
  std::string Ids(const Schema& table, const std::string& path, std::string_view filter) {
    ReadRequest request = RequestFor(table);
    request.projection = SelectFields(table, std::vector<std::string>{"id"});
    return ReadColumn(request, Filtered(table, TaskFor(path), filter));
  }
};

TEST_F(RowFilterTest, FiltersByColumnsThatAreNotProjected) {
  const std::string path =
      Write({FileColumn(1, "id", arrow::int32()), FileColumn(2, "x", arrow::int32())},
            "[[1, 10], [2, null], [3, 30], [4, 10]]");
  const Schema table =
      TableOf({TableColumn(1, "id", TypeId::kInt), TableColumn(2, "x", TypeId::kInt)});
  EXPECT_EQ(Ids(table, path, "x = 10"), "1 4");
  EXPECT_EQ(Ids(table, path, "x <> 10"), "3");
  EXPECT_EQ(Ids(table, path, "x IS NULL"), "2");
  EXPECT_EQ(Ids(table, path, "x > 10 OR id = 1"), "1 3");
  EXPECT_EQ(Ids(table, path, "x > 100"), "");
}

TEST_F(RowFilterTest, AColumnThatTheFileLacksIsNullOrItsDefault) {
  const std::string path = Write({FileColumn(1, "id", arrow::int32())}, "[[1], [2], [3]]");
  const Schema table =
      TableOf({TableColumn(1, "id", TypeId::kInt), TableColumn(2, "x", TypeId::kInt),
               TableColumn(3, "c", TypeId::kInt, Value::Integer(42)),
               TableColumn(4, "f", TypeId::kDouble)});
  EXPECT_EQ(Ids(table, path, "x NOT IN (1, 2)"), "");
  EXPECT_EQ(Ids(table, path, "x < 10"), "");
  EXPECT_EQ(Ids(table, path, "x IS NULL"), "1 2 3");
  EXPECT_EQ(Ids(table, path, "f IS NOT NAN"), "");
  EXPECT_EQ(Ids(table, path, "c = 42"), "1 2 3");
  EXPECT_EQ(Ids(table, path, "c IS NULL"), "");
}

TEST_F(RowFilterTest, AFieldOfANullStructIsNull) {
  const auto s = arrow::struct_(
      {FileColumn(3, "a", arrow::int32(), false), FileColumn(4, "b", arrow::int32())});
  const std::string path = Write({FileColumn(1, "id", arrow::int32()), FileColumn(2, "s", s)},
                                 "[[1, null], [2, [5, 6]], [3, [0, null]]]");
  const Schema table = TableOf({TableColumn(1, "id", TypeId::kInt),
                                TableColumn(2, "s",
                                            Type::Struct({TableColumn(3, "a", TypeId::kInt, true),
                                                          TableColumn(4, "b", TypeId::kInt)}))});
  EXPECT_EQ(Ids(table, path, "s.a IS NULL"), "1");
  EXPECT_EQ(Ids(table, path, "s.a = 0"), "3");
  EXPECT_EQ(Ids(table, path, "s.b IS NULL"), "1 3");
  // The filter's field is no part of the projected struct.
  ReadRequest request = RequestFor(table);
  request.projection = SelectFields(table, std::vector<std::string>{"s.b"});
  EXPECT_EQ(Read(request, Filtered(table, TaskFor(path), "s.a = 5")), R"([{"s":{"b":6}}])");
}

TEST_F(RowFilterTest, EveryComparableType) {
  const std::string path = Write(
      {FileColumn(1, "id", arrow::int32()), FileColumn(2, "bool", arrow::boolean()),
       FileColumn(3, "l", arrow::int64()), FileColumn(4, "f", arrow::float32()),
       FileColumn(5, "d", arrow::decimal128(9, 2)), FileColumn(6, "date", arrow::date32()),
       FileColumn(7, "time", arrow::time64(arrow::TimeUnit::MICRO)),
       FileColumn(8, "ts", arrow::timestamp(arrow::TimeUnit::MICRO)),
       FileColumn(9, "s", arrow::utf8()), FileColumn(10, "u", arrow::fixed_size_binary(16)),
       FileColumn(11, "b", arrow::binary())},
      R"([[1, true, 9223372036854775807, 1.5, "-12.34", -1, 1, -1, "ab", "0000000000000000", "xy"],
          [2, false, -9223372036854775808, -0.0, "0.00", 19723, 86399999999, 1, "", "1111111111111111", ""]])");
  const Schema table =
      TableOf({TableColumn(1, "id", TypeId::kInt), TableColumn(2, "bool", TypeId::kBoolean),
               TableColumn(3, "l", TypeId::kLong), TableColumn(4, "f", TypeId::kFloat),
               TableColumn(5, "d", Type::Decimal(9, 2)), TableColumn(6, "date", TypeId::kDate),
               TableColumn(7, "time", TypeId::kTime), TableColumn(8, "ts", TypeId::kTimestamp),
               TableColumn(9, "s", TypeId::kString), TableColumn(10, "u", TypeId::kUuid),
               TableColumn(11, "b", TypeId::kBinary)});
  for (const char* first :
       {"bool", "l = 9223372036854775807", "f > 1", "d < 0", "date = DATE '1969-12-31'",
        "time = TIME '00:00:00.000001'", "ts < TIMESTAMP '1970-01-01T00:00:00'", "s LIKE 'a%'",
        "u = UUID '30303030-3030-3030-3030-303030303030'", "b = X'7879'"}) {
    EXPECT_EQ(Ids(table, path, first), "1") << first;
  }
  for (const char* second :
       {"NOT bool", "l < 0", "f = 0", "d = 0", "date = DATE '2024-01-01'", "time > TIME '12:00:00'",
        "ts > TIMESTAMP '1970-01-01T00:00:00'", "s = ''", "b = X''"}) {
    EXPECT_EQ(Ids(table, path, second), "2") << second;
  }
}

TEST_F(RowFilterTest, AMappedColumnIsFilteredByTheMapping) {
  const std::string path =
      Write({FileColumn(0, "b", arrow::int32()), FileColumn(0, "a", arrow::int32())},
            "[[1, 100], [100, 1]]");
  const Schema table =
      TableOf({TableColumn(1, "a", TypeId::kInt), TableColumn(2, "b", TypeId::kInt)});
  ReadRequest request = RequestFor(table);
  request.name_mapping =
      NameMapping::Parse(R"([{"field-id": 1, "names": ["a"]}, {"field-id": 2, "names": ["b"]}])");
  EXPECT_EQ(Read(request, Filtered(table, TaskFor(path), "a = 1")), R"([{"a":1,"b":100}])");
}

TEST_F(RowFilterTest, ALimitCountsRowsThatPass) {
  const std::string path = WriteCounting(1000, {.rows_per_group = 100});
  const Schema table = TableOf({TableColumn(1, "id", TypeId::kLong)});
  ReadRequest request = RequestFor(table);
  request.options.limit = 5;
  EXPECT_EQ(ReadColumn(request, Filtered(table, TaskFor(path), "id >= 150")),
            "150 151 152 153 154");
  request.options.limit = 0;
  EXPECT_EQ(ReadColumn(request, TaskFor(path)), "");
}

/// Random filters over columns of integers and texts with nulls.
class RandomFilters {
 public:
  explicit RandomFilters(uint32_t seed) : random_(seed) {}

  std::string Filter(int depth) {
    if (depth > 0 && random_() % 3 != 0) {
      const char* const joint = random_() % 2 == 0 ? " AND " : " OR ";
      std::string text = "(" + Filter(depth - 1);
      for (auto terms = random_() % 3; terms > 0; --terms) text += joint + Filter(depth - 1);
      return (random_() % 5 == 0 ? "NOT " : "") + text + ")";
    }
    const char* const columns[] = {"i", "l", "d", "s"};
    const std::string column = columns[random_() % 4];
    const auto literal = [&] {
      const std::string number = std::to_string(static_cast<int>(random_() % 7) - 3);
      if (column == "s") return "'" + number + "'";
      return column == "d" ? "DATE '1970-01-0" + std::to_string(1 + random_() % 5) + "'" : number;
    };
    const char* const comparisons[] = {"=", "<>", "<", "<=", ">", ">="};
    switch (random_() % 8) {
      case 0:
        return column + (random_() % 2 == 0 ? " IS NULL" : " IS NOT NULL");
      case 1:
        return column + (random_() % 2 == 0 ? " IN (" : " NOT IN (") + literal() + ", " +
               literal() + ")";
      default:
        return column + " " + comparisons[random_() % 6] + " " + literal();
    }
  }

  template <typename Builder>
  std::shared_ptr<arrow::Array> Column(int64_t rows) {
    Builder builder;
    for (int64_t i = 0; i < rows; ++i) {
      const int value = static_cast<int>(random_() % 7) - 3;
      arrow::Status status;
      if (random_() % 4 == 0) {
        status = builder.AppendNull();
      } else if constexpr (std::is_same_v<Builder, arrow::StringBuilder>) {
        status = builder.Append(std::to_string(value));
      } else {
        status = builder.Append(value);
      }
      EXPECT_TRUE(status.ok());
    }
    return builder.Finish().ValueOrDie();
  }

 private:
  std::mt19937 random_;
};

TEST(RowFilter, PassesTheRowsThatTheEvaluatorOfRowsPasses) {
  const Schema table =
      TableOf({TableColumn(1, "i", TypeId::kInt), TableColumn(2, "l", TypeId::kLong),
               TableColumn(3, "d", TypeId::kDate), TableColumn(4, "s", TypeId::kString)});
  RandomFilters random(3);
  constexpr int64_t kRows = 60;
  for (int round = 0; round < 500; ++round) {
    const arrow::ArrayVector columns = {
        random.Column<arrow::Int32Builder>(kRows), random.Column<arrow::Int64Builder>(kRows),
        random.Column<arrow::Date32Builder>(kRows), random.Column<arrow::StringBuilder>(kRows)};
    const std::string text = random.Filter(3);
    const auto filter = std::make_shared<BoundFilter>(BindFilter(text, table));
    std::vector<FieldPath> paths;
    for (const BoundFilter::Column& column : filter->columns) {
      paths.push_back({static_cast<size_t>(column.field_id - 1), {}});
    }
    std::vector<uint8_t> dropped(kRows, 0);
    dropped[7] = 1;
    RowFilter(filter, paths).Apply(columns, dropped);
    EXPECT_EQ(dropped[7], 1);
    for (size_t row = 0; row < kRows; ++row) {
      if (row == 7) continue;
      std::vector<ValueView> values;
      for (size_t i = 0; i < paths.size(); ++i) {
        values.push_back(ValueReader(filter->columns[i].type, *columns[paths[i].column])
                             .At(static_cast<int64_t>(row)));
      }
      ASSERT_EQ(dropped[row] == 0, EvaluateRow(*filter, values)) << text << ", row " << row;
    }
  }
}

}  // namespace
}  // namespace nunatak
