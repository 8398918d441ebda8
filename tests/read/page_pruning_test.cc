// Pages that are passed over by the page index: no row that passes the filter is lost.
#include <arrow/api.h>
#include <arrow/io/file.h>
#include <parquet/arrow/writer.h>
#include <parquet/file_reader.h>
#include <parquet/properties.h>

#include <random>
#include <string>

#include "nunatak/expr/bound_filter.h"
#include "nunatak/expr/evaluate.h"
#include "nunatak/read/select_fields.h"
#include "nunatak/read/table_reader.h"
#include "read/damaged_file_io.h"
#include "read/scan_fixture.h"

namespace nunatak {
namespace {

struct Row {
  int64_t id = 0;
  std::optional<int64_t> a;
  std::optional<std::string> s;
  std::optional<double> f;
};

class PagePruningTest : public ScanTest {
 protected:
  size_t Below(size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random_); }

  /// Values that are near to each other in neighbouring rows, and stretches of nulls.
  std::vector<Row> RandomRows(int64_t count) {
    std::vector<Row> rows;
    bool is_null = false;
    for (int64_t id = 0; id < count; ++id) {
      if (Below(20) == 0) is_null = Below(3) == 0;
      Row row{.id = id};
      const auto near = static_cast<int64_t>(Below(15)) + id / 20;
      if (!is_null) row.a = near;
      if (Below(5) > 0)
        row.s =
            std::string("a long beginning that all have in common ") + std::to_string(1000 + near);
      if (Below(9) == 0) {
        row.f = std::numeric_limits<double>::quiet_NaN();
      } else if (Below(5) > 0) {
        row.f = static_cast<double>(near % 7) - 3;
      }
      rows.push_back(row);
    }
    return rows;
  }

  /// Columns whose pages begin at different rows.
  std::string WriteRows(const std::vector<Row>& rows) {
    arrow::Int64Builder id;
    arrow::Int64Builder a;
    arrow::StringBuilder s;
    arrow::DoubleBuilder f;
    for (const Row& row : rows) {
      EXPECT_TRUE(id.Append(row.id).ok() && (row.a ? a.Append(*row.a) : a.AppendNull()).ok() &&
                  (row.s ? s.Append(*row.s) : s.AppendNull()).ok() &&
                  (row.f ? f.Append(*row.f) : f.AppendNull()).ok());
    }
    const auto table = arrow::Table::Make(
        arrow::schema({FileColumn(1, "id", arrow::int64()), FileColumn(2, "a", arrow::int64()),
                       FileColumn(3, "s", arrow::utf8()), FileColumn(4, "f", arrow::float64())}),
        {id.Finish().ValueOrDie(), a.Finish().ValueOrDie(), s.Finish().ValueOrDie(),
         f.Finish().ValueOrDie()});
    const std::string path = Path("pages.parquet");
    const auto out = arrow::io::FileOutputStream::Open(path).ValueOrDie();
    parquet::WriterProperties::Builder properties;
    properties.enable_write_page_index()->data_pagesize(300)->write_batch_size(7);
    if (Below(2) == 0) properties.disable_dictionary();
    if (Below(3) > 0) properties.disable_write_page_index(std::string("s"));
    EXPECT_TRUE(parquet::arrow::WriteTable(*table, arrow::default_memory_pool(), out,
                                           static_cast<int64_t>(100 + Below(2000)),
                                           properties.build())
                    .ok());
    EXPECT_TRUE(out->Close().ok());
    return path;
  }

  std::string Filter() {
    const std::string number = std::to_string(static_cast<int>(Below(80)) - 5);
    const std::string small = std::to_string(static_cast<int>(Below(9)) - 4);
    const char* const comparisons[] = {" = ", " < ", " <= ", " > ", " >= ", " <> "};
    const std::string comparison = comparisons[Below(6)];
    switch (Below(10)) {
      case 0:
        return "a IS NULL";
      case 1:
        return "f IS NAN";
      case 2:
        return "a IN (" + number + ", " + small + ")";
      case 3:
      case 4:
        return "s" + comparison + "'a long beginning that all have in common 1" +
               std::to_string(Below(100)) + "'";
      case 5:
        return "f" + comparison + small;
      case 6:
        return "(" + Filter() + " OR " + Filter() + ")";
      case 7:
        return "(" + Filter() + " AND " + Filter() + ")";
      default:
        return "a" + comparison + number;
    }
  }

  static std::string Expected(const std::vector<Row>& rows, const BoundFilter& filter) {
    std::string ids;
    for (const Row& row : rows) {
      std::vector<ValueView> values;
      for (const BoundFilter::Column& column : filter.columns) {
        ValueView value;
        if (column.field_id == 2 && row.a) value = ValueView::Integer(*row.a);
        if (column.field_id == 3 && row.s) value = ValueView::Bytes(std::string_view(*row.s));
        if (column.field_id == 4 && row.f) value = ValueView::Real(*row.f);
        values.push_back(value);
      }
      if (!EvaluateRow(filter, values)) continue;
      ids += (ids.empty() ? "" : " ") + std::to_string(row.id);
    }
    return ids;
  }

  Schema table_ =
      TableOf({TableColumn(1, "id", TypeId::kLong), TableColumn(2, "a", TypeId::kLong),
               TableColumn(3, "s", TypeId::kString), TableColumn(4, "f", TypeId::kDouble)});
  std::mt19937 random_{11};
};

TEST_F(PagePruningTest, LosesNoRowOfRandomFilters) {
  PageCounts sum;
  for (int round = 0; round < 25; ++round) {
    const std::vector<Row> rows = RandomRows(static_cast<int64_t>(1 + Below(1500)));
    const std::string path = WriteRows(rows);
    ReadRequest request = RequestFor(table_);
    request.projection = SelectFields(table_, std::vector<std::string>{"id"});
    request.on_pages = [&sum](const PageCounts& pages) {
      EXPECT_LE(pages.kept_pages, pages.pages);
      sum.pages += pages.pages;
      sum.kept_pages += pages.kept_pages;
      sum.rows += pages.rows;
      sum.kept_rows += pages.kept_rows;
    };
    for (int i = 0; i < 20; ++i) {
      const std::string text = Filter();
      FileScanTask task = TaskFor(path);
      const auto filter = std::make_shared<BoundFilter>(BindFilter(text, table_));
      task.residual = filter;
      request.options.batch_size = static_cast<int64_t>(1 + Below(500));
      request.options.only_arrow = Below(2) == 0;
      ASSERT_EQ(ReadColumn(request, task), Expected(rows, *filter)) << text;
    }
  }
  // The filters are such that much is passed over.
  EXPECT_LT(sum.kept_pages, sum.pages * 3 / 4);
  EXPECT_LT(sum.kept_rows, sum.rows * 3 / 4);
}

TEST_F(PagePruningTest, PositionsAreThoseOfTheFile) {
  const std::vector<Row> rows = RandomRows(1000);
  const std::string path = WriteRows(rows);
  FileScanTask task = TaskFor(path);
  task.residual = std::make_shared<BoundFilter>(BindFilter("a >= 30 AND a < 32", table_));
  const std::string expected = Expected(rows, *task.residual);
  ReadRequest request = RequestFor(table_);
  request.projection = SelectFields(table_, std::vector<std::string>{"id"});
  DeletePositions(task, {path}, {rows.front().id});
  EXPECT_EQ(ReadColumn(request, task), expected);
  const auto first = static_cast<int64_t>(std::stoi(expected));
  DeletePositions(task, {path}, {first});
  EXPECT_EQ(ReadColumn(request, task), expected.substr(expected.find(' ') + 1));
}

TEST_F(PagePruningTest, AMalformedIndexIsAnErrorThatNamesTheColumn) {
  const std::string path = WriteRows(RandomRows(1000));
  FileScanTask task = TaskFor(path);
  task.residual = std::make_shared<BoundFilter>(BindFilter("a = 30", table_));
  const auto metadata = parquet::ParquetFileReader::OpenFile(path)->metadata();
  const auto location = metadata->RowGroup(0)->ColumnChunk(1)->GetOffsetIndexLocation();
  ASSERT_TRUE(location);
  const auto io = std::make_shared<DamagedFileIO>();
  std::string bytes = io->Bytes(path);
  std::fill_n(bytes.begin() + location->offset, location->length, '\x15');
  io->Put(path, bytes);
  ReadRequest request = RequestFor(table_);
  const auto read = [&] {
    TableReader reader(io, Context{}, request, std::vector{task});
    while (reader.Next() != nullptr) continue;
  };
  const Error error = ErrorFrom(read);
  EXPECT_EQ(error.code(), ErrorCode::kInvalid);
  EXPECT_NE(error.message().find(path + ": column a"), std::string::npos) << error.message();
  request.options.prune = false;
  EXPECT_NO_THROW(read());
}

}  // namespace
}  // namespace nunatak
