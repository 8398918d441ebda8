#include "nunatak/read/result.h"

#include <arrow/table.h>

#include "nunatak/read/text_writer.h"
#include "read/scan_fixture.h"

namespace nunatak {
namespace {

class ResultTest : public ScanTest {
 protected:
  static Schema Ids() { return TableOf({TableColumn(1, "id", TypeId::kLong)}); }
};

TEST_F(ResultTest, AScanAsOneTable) {
  TableReader reader(io_, Context{}, RequestFor(Ids()),
                     std::vector{TaskFor(WriteCounting(3)), TaskFor(WriteCounting(2))});
  const auto schema = reader.schema();
  const std::shared_ptr<arrow::Table> table = ReadTable(std::move(reader));
  EXPECT_TRUE(table->ValidateFull().ok());
  EXPECT_TRUE(table->schema()->Equals(*schema, /*check_metadata=*/true));
  EXPECT_EQ(ToCsv(Ids(), *table, false), "0\n1\n2\n0\n1\n");
}

TEST_F(ResultTest, AFileThatNoTableHas) {
  FileScanTask task;
  DataFile file;
  file.file_path = WriteCounting(5, {.rows_per_group = 2});
  task.data_file = std::make_shared<DataFile>(file);
  const auto filter = std::make_shared<BoundFilter>(BindFilter("id >= 1 and id != 3", Ids()));
  task.residual = filter;
  const auto table = ReadDataFileTable(io_, Context{}, RequestFor(Ids()), task);
  EXPECT_EQ(ToCsv(Ids(), *table), "id\n1\n2\n4\n");
  ReadRequest limited = RequestFor(Ids());
  limited.options.limit = 2;
  EXPECT_EQ(ReadDataFileTable(io_, Context{}, limited, task)->num_rows(), 2);
}

TEST_F(ResultTest, AnErrorIsThatOfTheFile) {
  FileScanTask task = TaskFor(WriteBytes("f.parquet", "nothing"));
  const Error error =
      ErrorFrom([&] { ReadDataFileTable(io_, Context{}, RequestFor(Ids()), task); });
  EXPECT_EQ(error.code(), ErrorCode::kInvalid);
  EXPECT_NE(error.message().find("f.parquet"), std::string::npos);
}

TEST_F(ResultTest, WithoutRowsItHasTheColumns) {
  const Schema schema =
      TableOf({TableColumn(1, "id", TypeId::kLong, true), TableColumn(2, "v", TypeId::kVariant),
               TableColumn(3, "l", Type::List(TableColumn(4, "element", TypeId::kUuid)))});
  const auto empty = EmptyTable(schema);
  EXPECT_EQ(empty->num_rows(), 0);
  TableReader nothing(io_, Context{}, RequestFor(schema), std::vector<FileScanTask>{});
  EXPECT_TRUE(empty->schema()->Equals(*nothing.schema(), /*check_metadata=*/true));
  EXPECT_TRUE(ReadTable(std::move(nothing))->Equals(*empty, /*check_metadata=*/true));
  EXPECT_EQ(ToCsv(schema, *empty), "id,v,l\n");
}

}  // namespace
}  // namespace nunatak
