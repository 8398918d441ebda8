#include "nunatak/read/section_filter.h"

#include <arrow/api.h>

#include <random>

#include "nunatak/read/open_decoder.h"
#include "nunatak/read/project/resolve.h"
#include "nunatak/read/select_fields.h"
#include "read/scan_fixture.h"

namespace nunatak {
namespace {

class SectionFilterTest : public ScanTest {
 protected:
  /// Which of the file's row groups the filter leaves, as ones and zeros.
  std::string Kept(const Schema& table, const std::string& path, const std::string& filter) {
    const ReadRequest request = RequestFor(table);
    const FileScanTask task = TaskFor(path);
    const auto decoder = OpenDecoder(*io_, {}, *task.data_file, {});
    ColumnResolver resolver(request, task, decoder->fields());
    const std::vector<ColumnPlan> plans = resolver.Resolve(table.fields());
    const auto bound = std::make_shared<const BoundFilter>(BindFilter(filter, table));
    std::vector<FieldPath> paths(bound->columns.size());
    for (size_t i = 0; i < paths.size(); ++i) {
      EXPECT_TRUE(FindPath(table, bound->columns[i].field_id, table.fields(), &paths[i]));
    }
    std::string kept;
    decoder->Start(
        {.filter = MakeSectionFilter(bound, paths, plans, decoder->fields()),
         .on_section = [&](const SectionStats&, bool keeps) { kept += keeps ? '1' : '0'; }});
    return kept;
  }

  std::string Rows(const Schema& table, const std::string& path, const std::string& filter,
                   bool prune) {
    ReadRequest request = RequestFor(table);
    request.options.prune = prune;
    FileScanTask task = TaskFor(path);
    task.residual = std::make_shared<BoundFilter>(BindFilter(filter, table));
    return Read(request, task);
  }
};

/// One column, one value to a row group.
struct TypeCase {
  std::shared_ptr<arrow::DataType> file_type;
  Type type;
  const char* rows;
  const char* filter;
  const char* kept;
  bool decimals_as_integers = false;
};

TEST_F(SectionFilterTest, BoundsOfEveryType) {
  const TypeCase cases[] = {
      {arrow::boolean(), TypeId::kBoolean, "[[true], [false], [null]]", "c", "100"},
      {arrow::int32(), TypeId::kInt, "[[-5], [7], [null]]", "c > 0", "010"},
      {arrow::int32(), TypeId::kLong, "[[-5], [7], [null]]", "c = -5", "100"},
      {arrow::int8(), TypeId::kInt, "[[-5], [7], [null]]", "c < 0", "100"},
      {arrow::int64(), TypeId::kLong, "[[-9223372036854775808], [9223372036854775807]]", "c > 0",
       "01"},
      {arrow::float32(), TypeId::kFloat, "[[1.5], [-1.5], [null]]", "c < 0", "010"},
      {arrow::float32(), TypeId::kDouble, "[[1.5], [-1.5]]", "c = -1.5", "01"},
      {arrow::float64(), TypeId::kDouble, "[[0.0], [-0.0], [3]]", "c = 0", "110"},
      {arrow::decimal128(9, 2), Type::Decimal(9, 2), R"([["-1.00"], ["256.00"], [null]])", "c > 1",
       "010"},
      {arrow::decimal128(9, 2), Type::Decimal(9, 2), R"([["-1.00"], ["256.00"], [null]])", "c < 0",
       "100", true},
      {arrow::decimal128(18, 2), Type::Decimal(20, 2), R"([["-1.00"], ["256.00"], [null]])",
       "c = 256", "010", true},
      {arrow::date32(), TypeId::kDate, "[[-1], [19723]]", "c < DATE '1970-01-01'", "10"},
      {arrow::time64(arrow::TimeUnit::MICRO), TypeId::kTime, "[[1], [86399999999]]",
       "c > TIME '12:00:00'", "01"},
      {arrow::timestamp(arrow::TimeUnit::MICRO), TypeId::kTimestamp, "[[-1], [1]]",
       "c < TIMESTAMP '1970-01-01T00:00:00'", "10"},
      {arrow::utf8(), TypeId::kString, R"([["a"], ["b"], [""], [null]])", "c LIKE 'b%'", "0100"},
      {arrow::utf8(), TypeId::kString, R"([["\u00e4"], ["z"]])", "c > 'z'", "10"},
      {arrow::binary(), TypeId::kBinary, R"([["a"], ["b"]])", "c = X'62'", "01"},
      {arrow::fixed_size_binary(16), TypeId::kUuid,
       R"([["0000000000000000"], ["~~~~~~~~~~~~~~~~"]])",
       "c > UUID '40000000-0000-0000-0000-000000000000'", "01"},
  };
  for (const TypeCase& c : cases) {
    SCOPED_TRACE(c.file_type->ToString() + " " + c.filter);
    const std::string path =
        Write({FileColumn(1, "c", c.file_type)}, c.rows,
              {.rows_per_group = 1, .decimals_as_integers = c.decimals_as_integers});
    const Schema table = TableOf({TableColumn(1, "c", c.type)});
    EXPECT_EQ(Kept(table, path, c.filter), c.kept);
    EXPECT_EQ(Rows(table, path, c.filter, true), Rows(table, path, c.filter, false));
  }
}

TEST_F(SectionFilterTest, NullsAreCounted) {
  const std::string path = Write({FileColumn(1, "c", arrow::int32())},
                                 "[[1], [2], [null], [null], [3], [null]]", {.rows_per_group = 2});
  const Schema table = TableOf({TableColumn(1, "c", TypeId::kInt)});
  EXPECT_EQ(Kept(table, path, "c IS NULL"), "011");
  EXPECT_EQ(Kept(table, path, "c IS NOT NULL"), "101");
  EXPECT_EQ(Kept(table, path, "c <> 3"), "100");
}

// Statistics leave NaN out, and NaN is above every number.
TEST_F(SectionFilterTest, NanMayBeAnywhere) {
  arrow::DoubleBuilder values;
  for (const double v : {1.0, std::nan(""), 2.0, 3.0}) EXPECT_TRUE(values.Append(v).ok());
  const std::string path =
      WriteTable(*arrow::Table::Make(arrow::schema({FileColumn(1, "c", arrow::float64())}),
                                     {values.Finish().ValueOrDie()}),
                 {.rows_per_group = 2});
  const Schema table = TableOf({TableColumn(1, "c", TypeId::kDouble)});
  EXPECT_EQ(Kept(table, path, "c > 100"), "11");
  EXPECT_EQ(Kept(table, path, "c < 0"), "00");
  EXPECT_EQ(Kept(table, path, "c IS NAN"), "11");
}

TEST_F(SectionFilterTest, ColumnsInStructsAndWhatTheFileLacks) {
  const auto s = arrow::struct_({FileColumn(3, "a", arrow::int32())});
  const std::string path =
      Write({FileColumn(2, "s", s)}, R"([[{"a": 1}], [{"a": 5}], [null]])", {.rows_per_group = 1});
  const Type struct_type = Type::Struct({TableColumn(3, "a", TypeId::kInt)});
  const Schema table = TableOf({TableColumn(2, "s", struct_type), TableColumn(9, "n", TypeId::kInt),
                                TableColumn(10, "d", TypeId::kInt, Value::Integer(4))});
  EXPECT_EQ(Kept(table, path, "s.a = 5").substr(0, 2), "01");
  EXPECT_EQ(Kept(table, path, "s.a IS NULL"), "111");
  EXPECT_EQ(Kept(table, path, "n = 1 OR d = 5"), "111");
}

TEST_F(SectionFilterTest, ATypeThatIsCastProvesNothing) {
  const std::string path = Write({FileColumn(1, "c", arrow::timestamp(arrow::TimeUnit::MILLI))},
                                 "[[1], [2]]", {.rows_per_group = 1});
  const Schema table = TableOf({TableColumn(1, "c", TypeId::kTimestamp)});
  EXPECT_EQ(Kept(table, path, "c > TIMESTAMP '2020-01-01T00:00:00'"), "11");
}

TEST_F(SectionFilterTest, RandomFilesHaveTheSameRowsWithAndWithoutPruning) {
  const std::pair<std::shared_ptr<arrow::DataType>, Type> types[] = {
      {arrow::int32(), TypeId::kInt},
      {arrow::int32(), TypeId::kLong},
      {arrow::float32(), TypeId::kDouble},
      {arrow::float64(), TypeId::kDouble},
      {arrow::date32(), TypeId::kDate},
      {arrow::timestamp(arrow::TimeUnit::MICRO), TypeId::kTimestamp},
      {arrow::utf8(), TypeId::kString},
      {arrow::decimal128(9, 0), Type::Decimal(9, 0)}};
  const char* const literals[] = {
      "{}",   "{}", "{}", "{}", "DATE '1970-01-0{}'", "TIMESTAMP '1970-01-01T00:00:00.00000{}'",
      "'{}'", "{}"};
  const char* const shapes[] = {"c < {}",
                                "c <= {}",
                                "c > {}",
                                "c >= {}",
                                "c = {}",
                                "c <> {}",
                                "c IN ({}, {})",
                                "c NOT IN ({}, {})",
                                "c IS NULL OR c = {}",
                                "NOT (c > {})"};
  std::mt19937 random(20261130);
  size_t pruned = 0;
  for (int round = 0; round < 160; ++round) {
    const auto& [file_type, type] = types[static_cast<size_t>(round) % std::size(types)];
    std::string rows = "[";
    for (int i = 0; i < 12; ++i) {
      const unsigned value = 1 + random() % 8;
      const bool quoted = type.id() == TypeId::kString || type.id() == TypeId::kDecimal;
      const std::string text = random() % 6 == 0 ? "null"
                               : quoted          ? "\"" + std::to_string(value) + "\""
                                                 : std::to_string(value);
      rows += (i > 0 ? ", [" : "[") + text + "]";
    }
    const std::string path = Write({FileColumn(1, "c", file_type)}, rows + "]",
                                   {.rows_per_group = 3, .decimals_as_integers = round % 2 == 0});
    const Schema table = TableOf({TableColumn(1, "c", type)});
    for (std::string filter : shapes) {
      for (size_t at = filter.find("{}"); at != std::string::npos; at = filter.find("{}")) {
        std::string literal = literals[static_cast<size_t>(round) % std::size(types)];
        literal.replace(literal.find("{}"), 2, std::to_string(random() % 10));
        if (literal == "DATE '1970-01-00'") literal = "DATE '1969-12-31'";
        filter.replace(at, 2, literal);
      }
      SCOPED_TRACE(file_type->ToString() + " " + rows + " " + filter);
      EXPECT_EQ(Rows(table, path, filter, true), Rows(table, path, filter, false));
      pruned += Kept(table, path, filter).find('0') != std::string::npos ? 1 : 0;
    }
  }
  EXPECT_GT(pruned, 200u);
}

}  // namespace
}  // namespace nunatak
