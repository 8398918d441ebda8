#include "nunatak/cli/required_fields.h"

#include <arrow/api.h>
#include <arrow/io/memory.h>
#include <arrow/json/from_string.h>
#include <gtest/gtest.h>
#include <parquet/arrow/reader.h>

#include "cli/temporary_file.h"
#include "nunatak/base/error.h"
#include "nunatak/cli/batch_writer.h"

namespace nunatak::cli {
namespace {

const auto kInner = arrow::struct_({arrow::field("r", arrow::utf8(), /*nullable=*/false)});
const auto kSchema = arrow::schema(
    {arrow::field("s", arrow::struct_({arrow::field("k", arrow::int32(), /*nullable=*/false),
                                       arrow::field("in", kInner, /*nullable=*/false)})),
     arrow::field("l", arrow::list(arrow::field("element", kInner)))});

std::shared_ptr<arrow::RecordBatch> Batch(const std::string& rows) {
  const auto structs =
      arrow::json::ArrayFromJSONString(arrow::struct_(kSchema->fields()), rows).ValueOrDie();
  return arrow::RecordBatch::FromStructArray(structs).ValueOrDie();
}

std::shared_ptr<arrow::Table> ThroughParquet(const arrow::RecordBatch& batch) {
  std::FILE* file = std::tmpfile();
  const auto writer = MakeParquetWriter(file, kSchema, 1 << 20);
  writer->Write(batch);
  writer->Finish();
  const auto bytes = arrow::Buffer::FromString(ContentOf(file));
  const auto reader = parquet::arrow::OpenFile(std::make_shared<arrow::io::BufferReader>(bytes),
                                               arrow::default_memory_pool())
                          .ValueOrDie();
  return reader->ReadTable().ValueOrDie();
}

TEST(WithoutNullsBelowNulls, NullStructsWithRequiredFieldsAreWritten) {
  const auto batch = Batch(R"([[[1, ["a"]], [["x"], null]], [null, null], [[2, ["b"]], []],
                               [null, [null]]])");
  for (const auto& part : {batch, batch->Slice(1, 3), batch->Slice(1, 1)}) {
    const auto table = ThroughParquet(*part);
    const auto read = table->CombineChunksToBatch().ValueOrDie();
    EXPECT_TRUE(read->Equals(*part)) << read->ToString() << part->ToString();
  }
}

TEST(WithoutNullsBelowNulls, ANullThatMustNotBeStaysOne) {
  const auto batch = Batch(R"([[[null, ["a"]], null], [null, null]])");
  const auto mended = WithoutNullsBelowNulls(*batch);
  const auto& structs = static_cast<const arrow::StructArray&>(*mended->column(0));
  EXPECT_TRUE(structs.field(0)->IsNull(0));
  EXPECT_EQ(structs.field(1)->null_count(), 0);
  EXPECT_THROW(ThroughParquet(*batch), Error);
}

}  // namespace
}  // namespace nunatak::cli
