#include "nunatak/read/decode/parquet_file.h"

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <arrow/json/from_string.h>
#include <parquet/column_writer.h>
#include <parquet/file_writer.h>

#include "nunatak/read/fetch_tail.h"
#include "nunatak/read/open_parquet.h"
#include "read/decode/read_fields.h"
#include "read/scan_fixture.h"

namespace nunatak {
namespace {

class ParquetFileTest : public ScanTest {
 protected:
  std::unique_ptr<ParquetFile> Open(const std::string& path) {
    return OpenParquet(*io_, Context{}, path, io_->Size(path), {}).file;
  }

  /// All row groups of all columns, as one chunked column each, after `Open`.
  std::shared_ptr<arrow::Table> ReadAll(const std::string& path) {
    const std::unique_ptr<ParquetFile> file = Open(path);
    for (FileField& field : file->fields()) SelectLeaves(field, /*all=*/true);
    file->FinishSelection();
    std::vector<std::shared_ptr<arrow::RecordBatch>> batches;
    for (size_t i = 0; i < file->sections().size(); ++i) {
      const RowRange rows{0, file->sections()[i].rows};
      for (const ByteRange& range : file->RangesOf(i, std::span(&rows, 1))) {
        const FetchRequest request{path, range};
        io_->Fetch(Context{}, std::span(&request, 1),
                   [&](size_t, Buffer bytes) { file->Fill(range.offset, std::move(bytes)); });
      }
      file->StartSection(i, {{0, file->sections()[i].rows}});
      for (auto rows = file->NextRows(); rows.size() > 0; rows = file->NextRows()) {
        batches.push_back(ReadFields(*file, RowSelection::All(rows.size())));
      }
      file->Release();
    }
    return arrow::Table::FromRecordBatches(batches).ValueOrDie();
  }
};

TEST_F(ParquetFileTest, DescribesSchemaAndRowGroups) {
  const auto s = arrow::struct_({FileColumn(3, "x", arrow::int32())});
  const auto map = std::make_shared<arrow::MapType>(FileColumn(5, "key", arrow::utf8(), false),
                                                    FileColumn(6, "value", s));
  const std::unique_ptr<ParquetFile> file =
      Open(Write({FileColumn(1, "id", arrow::int64()), FileColumn(2, "s", s),
                  FileColumn(4, "m", map), FileColumn(0, "no id", arrow::int32())},
                 "[[1, [1], [], 1], [2, [1], [], 1], [3, [1], [], 1]]", {.rows_per_group = 2}));
  const std::vector<FileField>& fields = file->fields();
  ASSERT_EQ(fields.size(), 4u);
  EXPECT_EQ(fields[0].id, 1);
  EXPECT_EQ(fields[0].leaf, 0);
  EXPECT_EQ(fields[1].children[0].id, 3);
  EXPECT_EQ(fields[1].children[0].leaf, 1);
  ASSERT_EQ(fields[2].children.size(), 2u);
  EXPECT_EQ(fields[2].children[0].id, 5);
  EXPECT_EQ(fields[2].children[1].id, 6);
  EXPECT_EQ(fields[2].children[1].children[0].leaf, 3);
  EXPECT_EQ(fields[3].id, std::nullopt);
  ASSERT_EQ(file->sections().size(), 2u);
  EXPECT_EQ(file->sections()[0].rows, 2);
  EXPECT_EQ(file->sections()[0].start, 4);
  EXPECT_EQ(file->sections()[1].rows, 1);
  EXPECT_EQ(file->sections()[1].first_row, 2);
}

TEST_F(ParquetFileTest, DecodingWithoutTheBytesIsAnError) {
  const std::unique_ptr<ParquetFile> file = Open(WriteCounting(10));
  SelectLeaves(file->fields()[0], true);
  file->FinishSelection();
  EXPECT_EQ(ErrorFrom([&] {
              file->StartSection(0, {{0, 10}});
              file->Read(0, RowSelection::All(file->NextRows().size()));
            }).code(),
            ErrorCode::kInvalid);
}

TEST_F(ParquetFileTest, NamesTheRangesOfTheSelectedLeavesAlone) {
  const std::string path =
      Write({FileColumn(1, "a", arrow::int64()), FileColumn(2, "b", arrow::utf8()),
             FileColumn(3, "c", arrow::int64())},
            R"([[1, ")" + std::string(10'000, 'x') + R"(", 2]])", {.dictionary = false});
  const auto bytes = [&](std::vector<size_t> columns) {
    const std::unique_ptr<ParquetFile> file = Open(path);
    for (const size_t column : columns) SelectLeaves(file->fields()[column], true);
    file->FinishSelection();
    int64_t sum = 0;
    const RowRange row{0, 1};
    const std::vector<ByteRange> ranges = file->RangesOf(0, std::span(&row, 1));
    for (const ByteRange& range : ranges) sum += range.length;
    return std::make_pair(ranges.size(), sum);
  };
  EXPECT_EQ(bytes({}), std::make_pair(size_t{0}, int64_t{0}));
  EXPECT_EQ(bytes({0, 2}).first, 2u);
  // Neighbours are one range.
  EXPECT_EQ(bytes({0, 1, 2}).first, 1u);
  EXPECT_EQ(bytes({0, 2}).second + bytes({1}).second, bytes({0, 1, 2}).second);
}

TEST_F(ParquetFileTest, DecimalsInEveryPhysicalForm) {
  const arrow::FieldVector columns = {FileColumn(1, "d9", arrow::decimal128(9, 2)),
                                      FileColumn(2, "d18", arrow::decimal128(18, 4)),
                                      FileColumn(3, "d38", arrow::decimal128(38, 10))};
  const std::string rows =
      R"([["-9999999.99", "-99999999999999.9999", "-0.0000000001"], [null, null, null],
      ["0.01", "0.0001", "9999999999999999999999999999.9999999999"]])";
  const auto expected = ReadAll(Write(columns, rows));
  EXPECT_EQ(expected->column(0)->chunk(0)->GetScalar(0).ValueOrDie()->ToString(), "-9999999.99");
  EXPECT_EQ(expected->column(2)->chunk(0)->GetScalar(2).ValueOrDie()->ToString(),
            "9999999999999999999999999999.9999999999");
  EXPECT_TRUE(ReadAll(Write(columns, rows, {.decimals_as_integers = true}))->Equals(*expected));
}

TEST_F(ParquetFileTest, TheEmbeddedArrowSchemaChangesNothing) {
  const arrow::FieldVector columns = {
      FileColumn(1, "large", arrow::large_utf8()),
      FileColumn(2, "dict", arrow::dictionary(arrow::int32(), arrow::utf8())),
      FileColumn(3, "view", arrow::utf8_view()),
      FileColumn(4, "list", arrow::large_list(FileColumn(5, "element", arrow::int32()))),
      FileColumn(6, "fixed", arrow::fixed_size_list(FileColumn(7, "element", arrow::int32()), 2)),
      FileColumn(8, "small", arrow::timestamp(arrow::TimeUnit::SECOND)),
      FileColumn(9, "duration", arrow::duration(arrow::TimeUnit::MICRO))};
  const std::string rows = R"([["a", "b", "c", [1], [1, 2], 5, 6]])";
  const auto plain = ReadAll(Write(columns, rows));
  const auto embedded = ReadAll(Write(columns, rows, {.embed_arrow_schema = true}));
  EXPECT_TRUE(plain->schema()->Equals(*embedded->schema()));
  EXPECT_TRUE(plain->Equals(*embedded));
  EXPECT_TRUE(embedded->schema()->field(0)->type()->Equals(arrow::utf8()));
  EXPECT_TRUE(embedded->schema()->field(1)->type()->Equals(arrow::utf8()));
  EXPECT_EQ(embedded->schema()->field(3)->type()->id(), arrow::Type::LIST);
}

/// A timestamp as Julian day and nanoseconds of the day.
parquet::Int96 Int96Of(uint64_t nanos, uint32_t julian_day) {
  return {{static_cast<uint32_t>(nanos), static_cast<uint32_t>(nanos >> 32), julian_day}};
}

/// Writes them as the required column `ts` (field 1), and returns the path.
std::string WriteInt96(const std::string& path, const std::vector<parquet::Int96>& values,
                       bool dictionary) {
  const auto node = parquet::schema::PrimitiveNode::Make(
      "ts", parquet::Repetition::REQUIRED, parquet::Type::INT96, parquet::ConvertedType::NONE, -1,
      -1, -1, 1);
  const auto schema = std::static_pointer_cast<parquet::schema::GroupNode>(
      parquet::schema::GroupNode::Make("schema", parquet::Repetition::REQUIRED, {node}));
  parquet::WriterProperties::Builder properties;
  if (!dictionary) properties.disable_dictionary();
  const auto out = arrow::io::FileOutputStream::Open(path).ValueOrDie();
  const auto writer = parquet::ParquetFileWriter::Open(out, schema, properties.build());
  auto* column = static_cast<parquet::Int96Writer*>(writer->AppendRowGroup()->NextColumn());
  column->WriteBatch(static_cast<int64_t>(values.size()), nullptr, nullptr, values.data());
  writer->Close();
  EXPECT_TRUE(out->Close().ok());
  return path;
}

TEST_F(ParquetFileTest, Int96BeyondTheRangeOfNanoseconds) {
  // 3332-12-14T11:33:10.965, 1600-01-01T00:00:00.000001, the epoch, 0001-01-01 and the last
  // microsecond of 9999.
  const std::vector<parquet::Int96> values = {
      Int96Of(41590965000000ULL, 2938396), Int96Of(1000, 2305448), Int96Of(0, 2440588),
      Int96Of(0, 1721426), Int96Of(86399999999000ULL, 5373484)};
  for (const bool dictionary : {true, false}) {
    const std::string path = WriteInt96(Path("int96.parquet"), values, dictionary);
    // Expected values: days since the epoch times 86 400 000 000, plus microseconds of the day.
    const auto expected =
        arrow::json::ArrayFromJSONString(arrow::timestamp(arrow::TimeUnit::MICRO),
                                         "[43010652790965000, -11676095999999999, 0, "
                                         "-62135596800000000, 253402300799999999]")
            .ValueOrDie();
    EXPECT_TRUE(ReadAll(path)->column(0)->chunk(0)->Equals(*expected)) << ReadAll(path)->ToString();
  }
}

TEST_F(ParquetFileTest, Int96AsNanoseconds) {
  const Schema table = TableOf({TableColumn(1, "ts", TypeId::kTimestampNs)});
  for (const bool dictionary : {true, false}) {
    const std::string path =
        WriteInt96(Path("int96.parquet"),
                   {Int96Of(1, 2440588), Int96Of(86399999999999ULL, 2440587)}, dictionary);
    EXPECT_EQ(Read(RequestFor(table), TaskFor(path)),
              R"([{"ts":"1970-01-01T00:00:00.000000001"},{"ts":"1969-12-31T23:59:59.999999999"}])");
    WriteInt96(path, {Int96Of(0, 2938396)}, dictionary);
    const Error error = ErrorFrom([&] { Read(RequestFor(table), TaskFor(path)); });
    EXPECT_EQ(error.code(), ErrorCode::kInvalid);
    EXPECT_NE(error.message().find("column ts: a timestamp on the Julian day 2938396"),
              std::string::npos)
        << error.message();
  }
}

TEST_F(ParquetFileTest, BatchesKeepToRowsAndBytes) {
  const std::string path = WriteCounting(1000, {.dictionary = false});
  const auto batch_rows = [&](const DecodeOptions& options) {
    OpenedParquet opened = OpenParquet(*io_, Context{}, path, io_->Size(path), options);
    SelectLeaves(opened.file->fields()[0], true);
    opened.file->FinishSelection();
    opened.file->Fill(opened.tail.offset, opened.tail.bytes);
    opened.file->StartSection(0, {{0, 1000}});
    return opened.file->NextRows().size();
  };
  EXPECT_EQ(batch_rows({}), 1000);
  EXPECT_EQ(batch_rows({.batch_size = 64}), 64);
  // Eight bytes a row and some for the page.
  EXPECT_NEAR(static_cast<double>(batch_rows({.batch_bytes = 800})), 100, 10);
  EXPECT_EQ(batch_rows({.batch_bytes = 1}), 1);
}

TEST_F(ParquetFileTest, AFooterLargerThanThePrefetchTakesASecondRequest) {
  const std::string path = [&] {
    arrow::FieldVector columns;
    for (int i = 1; i <= 20; ++i)
      columns.push_back(FileColumn(i, std::string(40000, 'c') + std::to_string(i), arrow::int32()));
    return Write(columns, "[[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]]");
  }();
  const int64_t size = io_->Size(path);
  ASSERT_GT(size, kFooterPrefetch);
  const int64_t before = io_->counters().requests;
  EXPECT_EQ(OpenParquet(*io_, Context{}, path, size, {}).file->fields().size(), 20u);
  EXPECT_EQ(io_->counters().requests - before, 2);
}

TEST_F(ParquetFileTest, DamagedFilesAreErrorsThatNameTheFile) {
  const std::string whole(AsText(io_->ReadAll(WriteCounting(100)).bytes));
  int cases = 0;
  const auto expect_error = [&](std::string_view bytes) {
    const std::string path = WriteBytes("damaged" + std::to_string(++cases), bytes);
    const Error error = ErrorFrom([&] { OpenParquet(*io_, Context{}, path, io_->Size(path), {}); });
    EXPECT_EQ(error.code(), ErrorCode::kInvalid);
    EXPECT_NE(error.message().find(path), std::string::npos) << error.message();
  };
  for (const size_t size :
       {size_t{0}, size_t{4}, size_t{7}, size_t{12}, whole.size() / 2, whole.size() - 1}) {
    expect_error(whole.substr(0, size));
  }
  std::string long_footer = whole;
  long_footer.replace(whole.size() - 8, 4, "\xff\xff\xff\x7f");
  expect_error(long_footer);
  std::string empty_footer = whole;
  empty_footer.replace(whole.size() - 8, 4, std::string(4, '\0'));
  expect_error(empty_footer);
}

TEST_F(ParquetFileTest, EveryFlippedByteIsAnErrorOrAResult) {
  const std::string whole(AsText(io_->ReadAll(WriteCounting(50)).bytes));
  for (size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x41);
    const std::string path = WriteBytes("flipped", damaged);
    try {
      ReadAll(path);
    } catch (const Error&) {
    }
  }
}

TEST_F(ParquetFileTest, AnEncryptedFooterIsRefused) {
  std::string bytes(AsText(io_->ReadAll(WriteCounting(1)).bytes));
  bytes.replace(bytes.size() - 4, 4, "PARE");
  const std::string path = WriteBytes("encrypted", bytes);
  EXPECT_EQ(ErrorFrom([&] { Open(path); }).code(), ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace nunatak
