#include "nunatak/read/decode/orc_file.h"

#include <random>

#include "nunatak/read/decode/orc_schema.h"
#include "nunatak/read/decode/orc_tail.h"
#include "nunatak/read/fetch_ranges.h"
#include "nunatak/read/fetch_tail.h"
#include "nunatak/read/open_data_file.h"
#include "nunatak/read/table_reader.h"
#include "read/orc_fixture.h"

namespace nunatak {
namespace {

class OrcFileTest : public OrcTest {
 protected:
  /// The column `id` of `value(0)`, `value(1)` …, in stripes of 1,000 rows.
  FileScanTask WriteOrcOf(int64_t rows, int64_t (*value)(int64_t row)) {
    arrow::Int64Builder builder;
    for (int64_t i = 0; i < rows; ++i) EXPECT_TRUE(builder.Append(value(i)).ok());
    const auto table = arrow::Table::Make(arrow::schema({OrcColumn(1, "id", arrow::int64())}),
                                          {builder.Finish().ValueOrDie()});
    WriteOptions options;
    options.batch_size = 1000;
    options.stripe_size = 1;
    options.row_index_stride = 1000;
    return WriteOrc(*table, options);
  }

  FileScanTask WriteCountingOrc(int64_t rows) {
    return WriteOrcOf(rows, [](int64_t row) { return row; });
  }

  static ReadRequest Ids() { return RequestFor(TableOf({TableColumn(1, "id", TypeId::kLong)})); }

  std::string Bytes(const FileScanTask& task) {
    return std::string(AsText(io_->ReadAll(task.data_file->file_path).bytes));
  }
};

TEST_F(OrcFileTest, EveryTypeInItsIcebergForm) {
  const FileScanTask task = WriteOrc(
      {OrcColumn(1, "b", arrow::boolean()), OrcColumn(2, "tiny", arrow::int8()),
       OrcColumn(3, "i", arrow::int32()), OrcColumn(4, "l", arrow::int64()),
       OrcColumn(5, "f", arrow::float32()), OrcColumn(6, "g", arrow::float64()),
       OrcColumn(7, "d", arrow::decimal128(12, 2)), OrcColumn(8, "dt", arrow::date32()),
       OrcColumn(9, "tm", arrow::int64(), {{"iceberg.long-type", "TIME"}}),
       OrcColumn(10, "ts", arrow::timestamp(arrow::TimeUnit::MICRO)),
       OrcColumn(11, "tz", arrow::timestamp(arrow::TimeUnit::MICRO, "UTC")),
       OrcColumn(12, "ns", arrow::timestamp(arrow::TimeUnit::NANO)),
       OrcColumn(13, "s", arrow::utf8()),
       OrcColumn(14, "u", arrow::binary(), {{"iceberg.binary-type", "UUID"}}),
       OrcColumn(15, "fx", arrow::binary(),
                 {{"iceberg.binary-type", "FIXED"}, {"iceberg.length", "3"}}),
       OrcColumn(16, "bin", arrow::binary())},
      R"([[true, -1, -2147483648, -9223372036854775808, -1.5, 0.1, "-123.45", -1, 3661000001,
           -1000001, 0, -1, "é", "0123456789abcdef", "abc", "x"],
          [null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
           null]])");
  const Schema table = TableOf(
      {TableColumn(1, "b", TypeId::kBoolean), TableColumn(2, "tiny", TypeId::kInt),
       TableColumn(3, "i", TypeId::kLong), TableColumn(4, "l", TypeId::kLong),
       TableColumn(5, "f", TypeId::kDouble), TableColumn(6, "g", TypeId::kDouble),
       TableColumn(7, "d", Type::Decimal(20, 2)), TableColumn(8, "dt", TypeId::kDate),
       TableColumn(9, "tm", TypeId::kTime), TableColumn(10, "ts", TypeId::kTimestamp),
       TableColumn(11, "tz", TypeId::kTimestampTz), TableColumn(12, "ns", TypeId::kTimestampNs),
       TableColumn(13, "s", TypeId::kString), TableColumn(14, "u", TypeId::kUuid),
       TableColumn(15, "fx", Type::Fixed(3)), TableColumn(16, "bin", TypeId::kBinary)});
  EXPECT_EQ(Read(RequestFor(table), task),
            R"([{"b":true,"tiny":-1,"i":-2147483648,"l":-9223372036854775808,"f":-1.5,"g":0.1,)"
            R"("d":"-123.45","dt":"1969-12-31","tm":"01:01:01.000001",)"
            R"("ts":"1969-12-31T23:59:58.999999","tz":"1970-01-01T00:00:00+00:00",)"
            R"("ns":"1969-12-31T23:59:59.999999999","s":"é",)"
            R"("u":"30313233-3435-3637-3839-616263646566","fx":"616263","bin":"78"},)"
            R"({"b":null,"tiny":null,"i":null,"l":null,"f":null,"g":null,"d":null,"dt":null,)"
            R"("tm":null,"ts":null,"tz":null,"ns":null,"s":null,"u":null,"fx":null,"bin":null}])");
}

TEST_F(OrcFileTest, NestedValuesByTheirIdsAndPruned) {
  const auto element = OrcColumn(
      3, "element",
      arrow::struct_({OrcColumn(4, "x", arrow::int32()), OrcColumn(5, "y", arrow::utf8())}));
  const auto map =
      std::make_shared<arrow::MapType>(OrcColumn(7, "key", arrow::utf8())->WithNullable(false),
                                       OrcColumn(8, "value", arrow::int64()));
  const FileScanTask task =
      WriteOrc({OrcColumn(1, "other", arrow::int32()), OrcColumn(2, "l", arrow::list(element)),
                OrcColumn(6, "m", map)},
               R"([[1, [[1, "a"], [2, null], null], [["k", 5], ["", null]]],
                   [2, null, null], [3, [], []]])");
  const Schema table = TableOf(
      {TableColumn(6, "renamed",
                   Type::Map(TableColumn(7, "key", TypeId::kString, true),
                             TableColumn(8, "value", TypeId::kLong))),
       TableColumn(2, "l",
                   Type::List(TableColumn(3, "element",
                                          Type::Struct({TableColumn(9, "new", TypeId::kInt),
                                                        TableColumn(5, "y", TypeId::kString)}))))});
  EXPECT_EQ(Read(RequestFor(table), task),
            R"([{"renamed":{"keys":["k",""],"values":[5,null]},)"
            R"("l":[{"new":null,"y":"a"},{"new":null,"y":null},null]},)"
            R"({"renamed":null,"l":null},{"renamed":{"keys":[],"values":[]},"l":[]}])");
}

TEST_F(OrcFileTest, VariantsAreStructsOfTheirTwoParts) {
  const auto parts = arrow::struct_({arrow::field("metadata", arrow::binary(), false),
                                     arrow::field("value", arrow::binary(), false)});
  const FileScanTask task =
      WriteOrc({OrcColumn(1, "v", parts, {{"iceberg.struct-type", "VARIANT"}})},
               R"([[["\u0001\u0000\u0000", "\u0005a"]], [null]])");
  EXPECT_EQ(Read(RequestFor(TableOf({TableColumn(1, "v", TypeId::kVariant)})), task),
            R"([{"v":"a"},{"v":null}])");
}

TEST_F(OrcFileTest, AFileWithoutIdsIsReadByTheNamesOfTheSchema) {
  const FileScanTask task =
      WriteOrc({OrcColumn(0, "b", arrow::int32()), OrcColumn(0, "a", arrow::int32())}, "[[1, 2]]");
  ReadRequest request =
      RequestFor(TableOf({TableColumn(1, "a", TypeId::kInt), TableColumn(2, "c", TypeId::kInt)}));
  EXPECT_EQ(Read(request, task), R"([{"a":2,"c":null}])");
  request.name_mapping = NameMapping::Parse(R"([{"field-id": 2, "names": ["x", "b"]}])");
  EXPECT_EQ(Read(request, task), R"([{"a":null,"c":1}])");
}

TEST_F(OrcFileTest, EveryCodec) {
  for (const arrow::Compression::type codec :
       {arrow::Compression::UNCOMPRESSED, arrow::Compression::GZIP, arrow::Compression::SNAPPY,
        arrow::Compression::LZ4, arrow::Compression::ZSTD}) {
    WriteOptions options;
    options.compression = codec;
    const FileScanTask task =
        WriteOrc({OrcColumn(1, "id", arrow::int64())}, "[[1], [null], [3]]", options);
    EXPECT_EQ(ReadColumn(Ids(), task), "1 null 3") << codec;
  }
}

TEST_F(OrcFileTest, TimestampsBeyondNanosecondsAreRefused) {
  for (const std::string micros : {"32503680000000000", "-62135596800000000"}) {
    const FileScanTask task = WriteOrc(
        {OrcColumn(1, "ts", arrow::timestamp(arrow::TimeUnit::MICRO))}, "[[" + micros + "]]");
    const Error error = ErrorFrom(
        [&] { Read(RequestFor(TableOf({TableColumn(1, "ts", TypeId::kTimestamp)})), task); });
    EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
    EXPECT_NE(error.message().find(task.data_file->file_path), std::string::npos);
    EXPECT_NE(error.message().find("timestamp"), std::string::npos);
  }
}

TEST_F(OrcFileTest, CharAndUnionValuesAreRefusedWhereTheyAreSelected) {
  const arrow::FieldVector columns = {
      OrcColumn(1, "s",
                arrow::struct_({OrcColumn(2, "c", arrow::fixed_size_binary(10)),
                                OrcColumn(3, "i", arrow::int32())})),
      OrcColumn(4, "u", arrow::sparse_union({arrow::field("i", arrow::int32())})),
      OrcColumn(5, "l", arrow::list(arrow::int32()))};
  const std::vector<FileField> fields = OrcFieldsOf(columns);
  EXPECT_EQ(ErrorFrom([&] { RefuseUnsafe(fields[0]); }).code(), ErrorCode::kUnsupported);
  EXPECT_EQ(ErrorFrom([&] { RefuseUnsafe(fields[1]); }).code(), ErrorCode::kUnsupported);
  EXPECT_NO_THROW(RefuseUnsafe(fields[2]));
}

TEST_F(OrcFileTest, NamesTheStripesOfAWindowAndDecodesWithoutIo) {
  // A file too large for its stripes to come with the tail.
  const auto value = [](int64_t row) {
    const auto number = static_cast<uint64_t>(row);
    return static_cast<int64_t>(number * number * 0x9e3779b97f4a7c15U);
  };
  const FileScanTask task = WriteOrcOf(100000, value);
  ASSERT_GT(task.data_file->file_size_in_bytes, kFooterPrefetch);
  ReadRequest request = Ids();
  request.options.window_bytes = 1;
  OpenDataFile file = OpenTask(*io_, Context{}, request, task, {});
  int64_t rows = 0;
  int64_t windows = 0;
  while (!file.done()) {
    std::vector<Buffer> buffers =
        FetchRanges(*io_, Context{}, task.data_file->file_path, file.Needed());
    const int64_t requests = io_->counters().requests;
    file.Fill(std::move(buffers));
    while (const auto batch = file.Next()) {
      EXPECT_EQ(static_cast<const arrow::Int64Array&>(*batch->column(0)).Value(0), value(rows));
      rows += batch->num_rows();
    }
    EXPECT_EQ(io_->counters().requests, requests);
    ++windows;
  }
  EXPECT_EQ(rows, 100000);
  EXPECT_EQ(windows, 100);
}

TEST_F(OrcFileTest, BatchesKeepToTheirSize) {
  const FileScanTask task = WriteCountingOrc(2500);
  for (const bool with_columns : {true, false}) {
    ReadRequest request = with_columns ? Ids() : RequestFor(TableOf({}));
    request.options.batch_size = 300;
    OpenDataFile file = OpenTask(*io_, Context{}, request, task, {});
    file.Fill({});
    int64_t rows = 0;
    while (const auto batch = file.Next()) {
      EXPECT_LE(batch->num_rows(), 300);
      rows += batch->num_rows();
    }
    EXPECT_EQ(rows, 2500);
  }
}

TEST_F(OrcFileTest, SplitsNeitherRepeatNorLoseRowsAndKnowTheirPositions) {
  FileScanTask whole = WriteCountingOrc(4000);
  const std::string path = whole.data_file->file_path;
  DeletePositions(whole, {path, path, path}, {0, 1500, 3999});
  const std::string expected = ReadColumn(Ids(), whole);
  EXPECT_EQ(expected.substr(0, 5), "1 2 3");
  EXPECT_EQ(expected.find("1500"), std::string::npos);
  const int64_t size = whole.data_file->file_size_in_bytes;
  for (int64_t cut = 1; cut < size; ++cut) {
    std::vector<FileScanTask> tasks(2, whole);
    tasks[0].length = cut;
    tasks[1].start = cut;
    tasks[1].length = size - cut;
    ASSERT_EQ(ReadColumn(Ids(), tasks), expected) << cut;
  }
}

TEST_F(OrcFileTest, PositionDeletesInOrc) {
  FileScanTask task = WriteCountingOrc(5);
  const std::string path = task.data_file->file_path;
  DeleteFile deletes;
  deletes.file = *WriteOrc({OrcColumn(2147483546, "file_path", arrow::utf8()),
                            OrcColumn(2147483545, "pos", arrow::int64())},
                           R"([["other", 0], [")" + path + R"(", 1], [")" + path + R"(", 3]])")
                      .data_file;
  deletes.file.content = FileContent::kPositionDeletes;
  task.deletes.push_back(std::make_shared<DeleteFile>(std::move(deletes)));
  EXPECT_EQ(ReadColumn(Ids(), task), "0 2 4");
}

TEST_F(OrcFileTest, ATailLargerThanThePrefetchTakesASecondRequest) {
  arrow::FieldVector columns;
  std::string row;
  for (int i = 1; i <= 20; ++i) {
    columns.push_back(OrcColumn(i, std::string(40000, 'c') + std::to_string(i), arrow::int64()));
    row += (i == 1 ? "" : ",") + std::to_string(i);
  }
  WriteOptions options;
  options.compression = arrow::Compression::UNCOMPRESSED;
  const FileScanTask task = WriteOrc(columns, "[[" + row + "]]", options);
  const int64_t size = task.data_file->file_size_in_bytes;
  ASSERT_GT(size, kFooterPrefetch);
  const int64_t before = io_->counters().requests;
  const FileTail tail = FetchTail(*io_, Context{}, task.data_file->file_path, size, OrcTailSize);
  EXPECT_EQ(io_->counters().requests - before, 2);
  EXPECT_EQ(OrcFile(size, tail.bytes, {}).fields().size(), 20u);
}

/// Lengths of every kind of run: what is checked of them must not refuse what is true.
TEST_F(OrcFileTest, TextsOfManyLengths) {
  std::mt19937 random(7);
  std::string values;
  arrow::StringBuilder builder;
  for (int i = 0; i < 20000; ++i) {
    const bool is_long = i % 97 == 0;
    const size_t length = is_long ? random() % 3000 : i < 5000 ? 5 : random() % (i < 9000 ? 9 : 40);
    const std::string value(length, static_cast<char>('a' + i % 26));
    values += values.empty() ? "" : " ";
    values += '"' + value + '"';
    ASSERT_TRUE(builder.Append(value).ok());
  }
  const auto table = arrow::Table::Make(arrow::schema({OrcColumn(1, "s", arrow::utf8())}),
                                        {builder.Finish().ValueOrDie()});
  for (const double dictionary : {0.0, 1.0}) {
    WriteOptions options;
    options.dictionary_key_size_threshold = dictionary;
    options.compression = arrow::Compression::ZSTD;
    const FileScanTask task = WriteOrc(*table, options);
    EXPECT_EQ(ReadColumn(RequestFor(TableOf({TableColumn(1, "s", TypeId::kString)})), task),
              values);
  }
}

TEST_F(OrcFileTest, AFileWithoutRows) {
  EXPECT_EQ(Read(Ids(), WriteOrc({OrcColumn(1, "id", arrow::int64())}, "[]")), "[]");
}

TEST_F(OrcFileTest, ATruncatedFileIsAnErrorThatNamesTheFile) {
  const std::string whole = Bytes(WriteCountingOrc(3000));
  for (size_t size = 0; size < whole.size(); ++size) {
    const FileScanTask task = OrcTask(WriteBytes("cut.orc", whole.substr(0, size)));
    const Error error = ErrorFrom([&] { ReadColumn(Ids(), task); });
    EXPECT_EQ(error.code(), ErrorCode::kInvalid) << size;
    EXPECT_NE(error.message().find("cut.orc"), std::string::npos) << error.message();
  }
}

TEST_F(OrcFileTest, EveryFlippedByteIsAnErrorOrAResult) {
  const std::string whole =
      Bytes(WriteOrc({OrcColumn(1, "id", arrow::int64()), OrcColumn(2, "s", arrow::utf8()),
                      OrcColumn(3, "l", arrow::list(arrow::float64()))},
                     R"([[1, "a", [1]], [2, null, []], [3, "b", [2, 3]]])"));
  const ReadRequest request = RequestFor(
      TableOf({TableColumn(1, "id", TypeId::kLong), TableColumn(2, "s", TypeId::kString)}));
  int errors = 0;
  for (size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x41);
    const FileScanTask task = OrcTask(WriteBytes("flipped.orc", damaged));
    try {
      TableReader(io_, Context{}, request, {task}).Next();
    } catch (const Error&) {
      ++errors;
    }
  }
  EXPECT_GT(errors, 20);
}

}  // namespace
}  // namespace nunatak
