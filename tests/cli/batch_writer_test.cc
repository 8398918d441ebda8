#include "nunatak/cli/batch_writer.h"

#include <arrow/api.h>
#include <arrow/io/memory.h>
#include <arrow/ipc/reader.h>
#include <arrow/json/from_string.h>
#include <arrow/util/key_value_metadata.h>
#include <gtest/gtest.h>
#include <parquet/arrow/reader.h>
#include <parquet/metadata.h>
#include <unistd.h>

#include <csignal>
#include <string>

#include "cli/temporary_file.h"
#include "nunatak/base/error.h"
#include "nunatak/cli/output.h"

namespace nunatak::cli {
namespace {

std::shared_ptr<arrow::Schema> SchemaWithIds() {
  const auto id = [](const char* text) {
    return arrow::key_value_metadata({"PARQUET:field_id"}, {text});
  };
  return arrow::schema(
      {arrow::field("id", arrow::int64(), /*nullable=*/false, id("1")),
       arrow::field("at", arrow::timestamp(arrow::TimeUnit::NANO, "UTC"), true, id("2")),
       arrow::field("tags", arrow::list(arrow::field("element", arrow::utf8(), true, id("4"))),
                    true, id("3"))});
}

std::shared_ptr<arrow::RecordBatch> Batch(const std::string& rows) {
  const auto structs =
      arrow::json::ArrayFromJSONString(arrow::struct_(SchemaWithIds()->fields()), rows)
          .ValueOrDie();
  const auto batch = arrow::RecordBatch::FromStructArray(structs).ValueOrDie();
  return batch->ReplaceSchema(SchemaWithIds()).ValueOrDie();
}

const std::shared_ptr<arrow::RecordBatch> kFirst = Batch(R"([[1, 1, ["a", null]], [2, null, []]])");
const std::shared_ptr<arrow::RecordBatch> kSecond = Batch(R"([[3, -1, null]])");

using Make = std::function<std::unique_ptr<BatchWriter>(std::FILE*)>;

std::shared_ptr<arrow::Buffer> Written(const Make& make, bool with_rows = true) {
  std::FILE* file = std::tmpfile();
  const std::unique_ptr<BatchWriter> writer = make(file);
  if (with_rows) {
    // A slice is written as the rows that it shows.
    writer->Write(*kFirst->Slice(0, 2));
    writer->Write(*kSecond);
  }
  writer->Finish();
  return arrow::Buffer::FromString(ContentOf(file));
}

/// The same rows, types, nullability and field ids.
void ExpectRows(const arrow::Table& table, bool with_rows = true) {
  EXPECT_TRUE(table.schema()->Equals(SchemaWithIds(), /*check_metadata=*/true))
      << table.schema()->ToString(true);
  const auto expected = arrow::Table::FromRecordBatches(
                            SchemaWithIds(), with_rows ? arrow::RecordBatchVector{kFirst, kSecond}
                                                       : arrow::RecordBatchVector{})
                            .ValueOrDie();
  EXPECT_TRUE(table.Equals(*expected)) << table.ToString();
}

TEST(BatchWriter, ArrowStream) {
  for (const bool with_rows : {true, false}) {
    const auto bytes = Written(
        [](std::FILE* f) { return MakeArrowWriter(f, SchemaWithIds(), ArrowForm::kStream); },
        with_rows);
    const auto reader =
        arrow::ipc::RecordBatchStreamReader::Open(std::make_shared<arrow::io::BufferReader>(bytes))
            .ValueOrDie();
    ExpectRows(*reader->ToTable().ValueOrDie(), with_rows);
  }
}

TEST(BatchWriter, ArrowFile) {
  const auto bytes =
      Written([](std::FILE* f) { return MakeArrowWriter(f, SchemaWithIds(), ArrowForm::kFile); });
  const auto reader =
      arrow::ipc::RecordBatchFileReader::Open(std::make_shared<arrow::io::BufferReader>(bytes))
          .ValueOrDie();
  ExpectRows(*reader->ToTable().ValueOrDie());
}

TEST(BatchWriter, Parquet) {
  for (const bool with_rows : {true, false}) {
    const auto bytes = Written(
        [](std::FILE* f) { return MakeParquetWriter(f, SchemaWithIds(), 1 << 20); }, with_rows);
    const auto reader = parquet::arrow::OpenFile(std::make_shared<arrow::io::BufferReader>(bytes),
                                                 arrow::default_memory_pool())
                            .ValueOrDie();
    ExpectRows(*reader->ReadTable().ValueOrDie()->ReplaceSchemaMetadata(nullptr), with_rows);
  }
}

TEST(BatchWriter, ARowGroupEndsAtItsBytes) {
  const auto bytes = Written([](std::FILE* f) { return MakeParquetWriter(f, SchemaWithIds(), 1); });
  const auto metadata =
      parquet::ParquetFileReader::Open(std::make_shared<arrow::io::BufferReader>(bytes))
          ->metadata();
  ASSERT_EQ(metadata->num_row_groups(), 2);
  EXPECT_EQ(metadata->RowGroup(0)->num_rows(), 2);
  EXPECT_EQ(metadata->RowGroup(1)->num_rows(), 1);
}

TEST(BatchWriter, AStreamThatFailsIsTheError) {
  std::FILE* full = std::fopen("/dev/full", "wb");
  ASSERT_NE(full, nullptr);
  const auto writer = MakeArrowWriter(full, SchemaWithIds(), ArrowForm::kStream);
  try {
    writer->Write(*kFirst);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kIo);
    EXPECT_EQ(error.message(), "cannot write the output: No space left on device");
  }
  std::fclose(full);
}

TEST(BatchWriter, AReaderThatHasGoneIsNoError) {
  std::signal(SIGPIPE, SIG_IGN);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  std::FILE* stream = ::fdopen(ends[1], "wb");
  const auto writer = MakeArrowWriter(stream, SchemaWithIds(), ArrowForm::kStream);
  EXPECT_THROW(writer->Write(*kFirst), BrokenPipe);
  std::fclose(stream);
}

}  // namespace
}  // namespace nunatak::cli
