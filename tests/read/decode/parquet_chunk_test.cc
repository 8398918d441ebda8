// Column chunks that Arrow's reader does not read as they are.
#include "nunatak/read/decode/parquet_chunk.h"

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <parquet/column_writer.h>
#include <parquet/file_reader.h>
#include <parquet/file_writer.h>

#include "nunatak/read/table_reader.h"
#include "read/damaged_file_io.h"
#include "read/decode/page_bytes.h"
#include "read/scan_fixture.h"

namespace nunatak {
namespace {

using parquet::Repetition;
using parquet::schema::GroupNode;
using parquet::schema::PrimitiveNode;

class ParquetChunkTest : public ScanTest {
 protected:
  std::string WriteFile(const std::shared_ptr<GroupNode>& schema,
                        const std::shared_ptr<parquet::WriterProperties>& settings,
                        const std::function<void(parquet::RowGroupWriter&)>& write) {
    const std::string path = Path("chunk.parquet");
    const auto out = arrow::io::FileOutputStream::Open(path).ValueOrDie();
    const auto writer = parquet::ParquetFileWriter::Open(out, schema, settings);
    write(*writer->AppendRowGroup());
    writer->Close();
    EXPECT_TRUE(out->Close().ok());
    return path;
  }

  /// A file whose only column chunk has other bytes than its writer wrote: `pages`, and then
  /// nothing.
  FileScanTask WithPages(const std::string& path, const std::string& pages) {
    const auto reader = parquet::ParquetFileReader::OpenFile(path);
    const auto group = reader->metadata()->RowGroup(0);
    const auto chunk = group->ColumnChunk(0);
    const int64_t start = ChunkStart(*chunk);
    std::string bytes = io_->Bytes(path);
    EXPECT_LE(static_cast<int64_t>(pages.size()), chunk->total_compressed_size());
    bytes.replace(static_cast<size_t>(start), pages.size(), pages);
    io_->Put(path, bytes);
    return TaskFor(path);
  }

  std::string Column(const Type& type, const FileScanTask& task) {
    const ReadRequest request = RequestFor(TableOf({TableColumn(1, "c", type)}));
    TableReader reader(io_, Context{}, request, std::vector{task});
    std::string values;
    while (const auto batch = reader.Next()) values += batch->column(0)->ToString();
    return values;
  }

  std::shared_ptr<DamagedFileIO> io_ = std::make_shared<DamagedFileIO>();
};

TEST_F(ParquetChunkTest, PagesWithoutValuesAreTakenOut) {
  // Four required longs in a page each; the test puts them into one or two, with empty ones around.
  const auto schema = std::static_pointer_cast<GroupNode>(
      GroupNode::Make("schema", Repetition::REQUIRED,
                      {PrimitiveNode::Make("c", Repetition::REQUIRED, parquet::Type::INT64,
                                           parquet::ConvertedType::NONE, -1, -1, -1, 1)}));
  const auto settings = parquet::WriterProperties::Builder()
                            .disable_dictionary()
                            ->disable_statistics()
                            ->data_pagesize(1)
                            ->write_batch_size(1)
                            ->build();
  const std::string path = WriteFile(schema, settings, [](parquet::RowGroupWriter& group) {
    const int64_t values[] = {1, 2, 3, 4};
    static_cast<parquet::Int64Writer*>(group.NextColumn())->WriteBatch(4, nullptr, nullptr, values);
  });
  const std::string expected = Column(TypeId::kLong, TaskFor(path));
  EXPECT_NE(expected.find('4'), std::string::npos);
  const auto page = [](std::vector<int64_t> values) {
    const size_t size = values.size() * sizeof(int64_t);
    return PageHeaderBytes(PageType::kData, size, size, values.size()) +
           std::string(reinterpret_cast<const char*>(values.data()), size);
  };
  for (const std::string& pages :
       {page({1, 2, 3, 4}), page({}) + page({1, 2, 3, 4}), page({1}) + page({}) + page({2, 3, 4}),
        page({}) + page({}) + page({1, 2, 3, 4})}) {
    EXPECT_EQ(Column(TypeId::kLong, WithPages(path, pages)), expected);
  }
}

TEST_F(ParquetChunkTest, NullsOfADeclaredWidthAreNotAllocated) {
  const auto schema = std::static_pointer_cast<GroupNode>(GroupNode::Make(
      "schema", Repetition::REQUIRED,
      {PrimitiveNode::Make("c", Repetition::OPTIONAL, parquet::Type::FIXED_LEN_BYTE_ARRAY,
                           parquet::ConvertedType::NONE, 2'000'000'000, -1, -1, 1)}));
  const std::string path =
      WriteFile(schema, parquet::default_writer_properties(), [](parquet::RowGroupWriter& group) {
        const int16_t null = 0;
        static_cast<parquet::FixedLenByteArrayWriter*>(group.NextColumn())
            ->WriteBatch(1, &null, nullptr, nullptr);
      });
  const Error error = ErrorFrom([&] { Column(Type::Fixed(2'000'000'000), TaskFor(path)); });
  EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
  EXPECT_TRUE(error.message().starts_with(path + ": column c: ")) << error.message();
}

TEST_F(ParquetChunkTest, AListOfBillionsOfNullsIsNotAllocated) {
  const std::string path =
      Write({FileColumn(1, "c", arrow::list(FileColumn(2, "element", arrow::int64())))},
            "[[[1, 2, 3, 4, 5, 6, 7, 8]]]", {.dictionary = false});
  const int64_t many = (int64_t{1} << 31) - 1;
  // Repetition levels and definition levels, each a run of one value.
  const std::string levels("\x06\0\0\0\xfe\xff\xff\xff\x0f\x01\x06\0\0\0\xfe\xff\xff\xff\x0f\x02",
                           20);
  const auto size = static_cast<int64_t>(levels.size());
  const FileScanTask task =
      WithPages(path, PageHeaderBytes(PageType::kData, size, size, many) + levels);
  const Error error =
      ErrorFrom([&] { Column(Type::List(TableColumn(2, "element", TypeId::kLong)), task); });
  EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
  EXPECT_NE(error.message().find("2147483647 values"), std::string::npos) << error.message();
}

}  // namespace
}  // namespace nunatak
