#include "nunatak/read/record_batch_reader.h"

#include <arrow/c/abi.h>
#include <arrow/c/bridge.h>

#include <string>

#include "read/scan_fixture.h"

namespace nunatak {
namespace {

class RecordBatchReaderTest : public ScanTest {
 protected:
  ReadRequest Ids() const { return RequestFor(TableOf({TableColumn(1, "id", TypeId::kLong)})); }

  TableReader Reader(std::vector<FileScanTask> tasks) {
    return TableReader(io_, Context{}, Ids(), std::move(tasks));
  }
};

TEST_F(RecordBatchReaderTest, IsAllOfTheScan) {
  const auto reader =
      ToRecordBatchReader(Reader({TaskFor(WriteCounting(10)), TaskFor(WriteCounting(5))}));
  const auto table = reader->ToTable().ValueOrDie();
  EXPECT_EQ(table->num_rows(), 15);
  EXPECT_EQ(table->schema()->field(0)->name(), "id");
}

TEST_F(RecordBatchReaderTest, ErrorsKeepTheirKindAndNameTheFile) {
  const auto reader = ToRecordBatchReader(Reader({TaskFor(WriteCounting(3)), TaskFor("gone")}));
  std::shared_ptr<arrow::RecordBatch> batch;
  EXPECT_TRUE(reader->ReadNext(&batch).ok());
  EXPECT_EQ(batch->num_rows(), 3);
  const arrow::Status status = reader->ReadNext(&batch);
  EXPECT_TRUE(status.IsInvalid()) << status.ToString();
  EXPECT_NE(status.message().find("gone"), std::string::npos) << status.message();
}

TEST_F(RecordBatchReaderTest, ClosedItHasNoMoreRows) {
  const auto reader = ToRecordBatchReader(Reader({TaskFor(WriteCounting(3))}));
  ASSERT_TRUE(reader->Close().ok());
  std::shared_ptr<arrow::RecordBatch> batch;
  ASSERT_TRUE(reader->ReadNext(&batch).ok());
  EXPECT_EQ(batch, nullptr);
}

TEST_F(RecordBatchReaderTest, NestedColumnsPassThroughTheCInterface) {
  const auto item = arrow::struct_({FileColumn(4, "n", arrow::int32())});
  const std::string path = Write({FileColumn(1, "l", arrow::list(FileColumn(3, "element", item)))},
                                 R"([[[{"n": 1}, null, {"n": null}]], [null], [[]]])");
  const Type element = Type::Struct({TableColumn(4, "n", TypeId::kInt)});
  const ReadRequest request =
      RequestFor(TableOf({TableColumn(1, "l", Type::List(TableColumn(3, "element", element)))}));
  ArrowArrayStream stream;
  ExportStream(TableReader(io_, Context{}, request, {TaskFor(path)}), &stream);
  const auto imported = arrow::ImportRecordBatchReader(&stream).ValueOrDie();
  const auto batch = imported->Next().ValueOrDie();
  ASSERT_EQ(batch->num_rows(), 3);
  EXPECT_TRUE(batch->ValidateFull().ok());
  const auto& list = static_cast<const arrow::ListArray&>(*batch->column(0));
  ASSERT_EQ(list.value_length(0), 3);
  const auto& items = static_cast<const arrow::StructArray&>(*list.values());
  EXPECT_EQ(items.field(0)->ToString(), "[\n  1,\n  null,\n  null\n]");
  EXPECT_FALSE(items.IsNull(0));
  EXPECT_TRUE(items.IsNull(1));
  EXPECT_FALSE(items.IsNull(2));
  EXPECT_TRUE(list.IsNull(1));
  EXPECT_EQ(list.value_length(2), 0);
  EXPECT_EQ(imported->Next().ValueOrDie(), nullptr);
}

TEST_F(RecordBatchReaderTest, AnErrorReachesWhoImported) {
  ArrowArrayStream stream;
  ExportStream(Reader({TaskFor("gone")}), &stream);
  const auto imported = arrow::ImportRecordBatchReader(&stream).ValueOrDie();
  EXPECT_NE(imported->Next().status().message().find("gone"), std::string::npos);
}

TEST_F(RecordBatchReaderTest, AStreamMayBeReleasedUnread) {
  ArrowArrayStream stream;
  ExportStream(Reader({TaskFor(WriteCounting(10))}), &stream);
  stream.release(&stream);
  EXPECT_EQ(stream.release, nullptr);
}

}  // namespace
}  // namespace nunatak
