#include <arrow/api.h>
#include <arrow/io/file.h>
#include <arrow/json/from_string.h>
#include <parquet/arrow/writer.h>
#include <parquet/column_writer.h>
#include <parquet/file_writer.h>
#include <parquet/schema.h>

#include <functional>
#include <string>
#include <vector>

#include "read/scan_fixture.h"

namespace nunatak {
namespace {

using parquet::Compression;
using parquet::Encoding;
using parquet::LogicalType;
using parquet::Repetition;
using parquet::schema::GroupNode;
using parquet::schema::NodePtr;
using parquet::schema::PrimitiveNode;

/// The physical forms in which writers store a column: whatever they choose, the rows are the same.
class ParquetFormsTest : public ScanTest {
 protected:
  using Settings = parquet::WriterProperties::Builder;

  std::string WriteWith(const std::shared_ptr<arrow::Table>& table,
                        const std::function<void(Settings&)>& set, int64_t rows_per_group = 1000) {
    Settings settings;
    set(settings);
    const std::string path = Path("form.parquet");
    const auto out = arrow::io::FileOutputStream::Open(path).ValueOrDie();
    const arrow::Status status = parquet::arrow::WriteTable(*table, arrow::default_memory_pool(),
                                                            out, rows_per_group, settings.build());
    EXPECT_TRUE(status.ok()) << status.ToString();
    EXPECT_TRUE(out->Close().ok());
    return path;
  }

  static std::shared_ptr<arrow::Table> OneColumn(const std::shared_ptr<arrow::DataType>& type,
                                                 const std::string& values) {
    return arrow::Table::Make(arrow::schema({FileColumn(1, "c", type)}),
                              {arrow::json::ArrayFromJSONString(type, values).ValueOrDie()});
  }

  std::string ReadAs(const Type& type, const std::string& path) {
    return ReadColumn(RequestFor(TableOf({TableColumn(1, "c", type)})), TaskFor(path));
  }
};

struct Form {
  std::shared_ptr<arrow::DataType> stored;
  std::string values;
  Type type;
  std::string expected;
};

TEST_F(ParquetFormsTest, EncodingsOfEveryPhysicalType) {
  struct Case {
    Form form;
    std::vector<Encoding::type> encodings;
  };
  const std::vector<Case> cases = {
      {{arrow::boolean(), "[true, null, false]", TypeId::kBoolean, "true null false"},
       {Encoding::PLAIN, Encoding::RLE}},
      {{arrow::int32(), "[-2147483648, null, 2147483647, 0]", TypeId::kInt,
        "-2147483648 null 2147483647 0"},
       {Encoding::PLAIN, Encoding::DELTA_BINARY_PACKED, Encoding::BYTE_STREAM_SPLIT}},
      {{arrow::int64(), "[-9223372036854775808, null, 9223372036854775807]", TypeId::kLong,
        "-9223372036854775808 null 9223372036854775807"},
       {Encoding::PLAIN, Encoding::DELTA_BINARY_PACKED, Encoding::BYTE_STREAM_SPLIT}},
      {{arrow::float32(), "[0.1, null, -0.0]", TypeId::kFloat, "0.1 null -0.0"},
       {Encoding::PLAIN, Encoding::BYTE_STREAM_SPLIT}},
      {{arrow::float64(), "[0.1, null, -0.0]", TypeId::kDouble, "0.1 null -0.0"},
       {Encoding::PLAIN, Encoding::BYTE_STREAM_SPLIT}},
      {{arrow::utf8(), R"(["prefix", null, "prefix and more", ""])", TypeId::kString,
        R"("prefix" null "prefix and more" "")"},
       {Encoding::PLAIN, Encoding::DELTA_LENGTH_BYTE_ARRAY, Encoding::DELTA_BYTE_ARRAY}},
      {{arrow::fixed_size_binary(2), R"(["ab", null, "ac"])", Type::Fixed(2),
        R"("6162" null "6163")"},
       {Encoding::PLAIN, Encoding::DELTA_BYTE_ARRAY, Encoding::BYTE_STREAM_SPLIT}},
      {{arrow::decimal128(20, 1), R"(["-0.5", null, "1234567890123456789.0"])",
        Type::Decimal(20, 1), R"("-0.5" null "1234567890123456789.0")"},
       {Encoding::PLAIN, Encoding::BYTE_STREAM_SPLIT}},
  };
  for (const Case& c : cases) {
    const auto table = OneColumn(c.form.stored, c.form.values);
    for (const Encoding::type encoding : c.encodings) {
      for (const auto version :
           {parquet::ParquetDataPageVersion::V1, parquet::ParquetDataPageVersion::V2}) {
        const std::string path = WriteWith(table, [&](Settings& s) {
          s.disable_dictionary()->encoding(encoding)->data_page_version(version);
        });
        EXPECT_EQ(ReadAs(c.form.type, path), c.form.expected)
            << c.form.stored->ToString() << " " << parquet::EncodingToString(encoding);
      }
    }
    const std::string path = WriteWith(table, [](Settings& s) { s.enable_dictionary(); });
    EXPECT_EQ(ReadAs(c.form.type, path), c.form.expected) << c.form.stored->ToString();
  }
}

TEST_F(ParquetFormsTest, EveryCodec) {
  std::string values = "[";
  std::string expected;
  for (int i = 0; i < 1000; ++i) {
    values += (i > 0 ? ", " : "") + std::to_string(i % 7);
    expected += (i > 0 ? " " : "") + std::to_string(i % 7);
  }
  const auto table = OneColumn(arrow::int32(), values + "]");
  for (const auto codec :
       {Compression::UNCOMPRESSED, Compression::SNAPPY, Compression::GZIP, Compression::BROTLI,
        Compression::LZ4, Compression::LZ4_HADOOP, Compression::ZSTD}) {
    for (const auto version :
         {parquet::ParquetDataPageVersion::V1, parquet::ParquetDataPageVersion::V2}) {
      const std::string path = WriteWith(table, [&](Settings& s) {
        s.compression(codec)->data_page_version(version)->data_pagesize(512)->disable_dictionary();
      });
      EXPECT_EQ(ReadAs(TypeId::kInt, path), expected)
          << arrow::util::Codec::GetCodecAsString(codec);
    }
  }
}

TEST_F(ParquetFormsTest, StoredTypes) {
  const auto us = arrow::TimeUnit::MICRO;
  const auto ns = arrow::TimeUnit::NANO;
  const std::vector<Form> forms = {
      {arrow::timestamp(ns), "[-1, null, 9223372036854775807]", TypeId::kTimestampNs,
       R"("1969-12-31T23:59:59.999999999" null "2262-04-11T23:47:16.854775807")"},
      {arrow::timestamp(ns, "UTC"), "[1, null]", TypeId::kTimestampTzNs,
       R"("1970-01-01T00:00:00.000000001+00:00" null)"},
      {arrow::timestamp(us), "[-62135596800000000, 253402300799999999]", TypeId::kTimestamp,
       R"("0001-01-01T00:00:00" "9999-12-31T23:59:59.999999")"},
      {arrow::timestamp(us), "[1]", TypeId::kTimestampNs, R"("1970-01-01T00:00:00.000001")"},
      {arrow::date32(), "[-719162, 2932896]", TypeId::kTimestamp,
       R"("0001-01-01T00:00:00" "9999-12-31T00:00:00")"},
      {arrow::date32(), "[-1, null]", TypeId::kTimestampNs, R"("1969-12-31T00:00:00" null)"},
      {arrow::time32(arrow::TimeUnit::MILLI), "[1]", TypeId::kTime, R"("00:00:00.001")"},
      {arrow::time64(ns), "[1000]", TypeId::kTime, R"("00:00:00.000001")"},
      {arrow::float16(), "[0.5, null, -2]", TypeId::kFloat, "0.5 null -2.0"},
      {arrow::float16(), "[0.5]", TypeId::kDouble, "0.5"},
      {arrow::null(), "[null, null]", TypeId::kUnknown, "null null"},
      {arrow::null(), "[null, null]", TypeId::kDate, "null null"},
      {arrow::null(), "[null, null]", TypeId::kVariant, "null null"},
      {arrow::null(), "[null]", Type::Struct({TableColumn(2, "x", TypeId::kInt)}), "null"},
      {arrow::null(), "[null]", Type::List(TableColumn(2, "element", TypeId::kInt)), "null"},
      {arrow::null(), "[null]",
       Type::Map(TableColumn(2, "key", TypeId::kInt, true), TableColumn(3, "value", TypeId::kInt)),
       "null"},
      {arrow::struct_({FileColumn(2, "x", arrow::null())}), "[[null], null]",
       Type::Struct({TableColumn(2, "x", TypeId::kInt)}), R"({"x":null} null)"},
      {arrow::list(FileColumn(2, "element", arrow::null())), "[[null, null], [], null]",
       Type::List(TableColumn(2, "element", Type::Struct({TableColumn(3, "x", TypeId::kInt)}))),
       "[null,null] [] null"},
  };
  for (const Form& form : forms) {
    const std::string path = WriteWith(OneColumn(form.stored, form.values), [](Settings& s) {
      s.version(parquet::ParquetVersion::PARQUET_2_6);
    });
    EXPECT_EQ(ReadAs(form.type, path), form.expected)
        << form.stored->ToString() << " as " << form.type.ToString();
  }
}

TEST_F(ParquetFormsTest, EmptyRowGroupsAndNoStatistics) {
  const auto table = OneColumn(arrow::int32(), "[1, 2, 3]");
  EXPECT_EQ(ReadAs(TypeId::kInt, WriteWith(table, [](Settings& s) { s.disable_statistics(); })),
            "1 2 3");
  EXPECT_EQ(ReadAs(TypeId::kInt, WriteWith(table->Slice(0, 0), [](Settings&) {})), "");
  const std::string path = Path("empty_groups.parquet");
  const auto out = arrow::io::FileOutputStream::Open(path).ValueOrDie();
  const auto writer =
      parquet::arrow::FileWriter::Open(*table->schema(), arrow::default_memory_pool(), out)
          .ValueOrDie();
  for (const int64_t rows : {0, 2, 0, 0, 1, 0}) {
    EXPECT_TRUE(writer->NewRowGroup().ok());
    EXPECT_TRUE(writer->WriteColumnChunk(table->column(0), 0, rows).ok());
  }
  EXPECT_TRUE(writer->Close().ok());
  EXPECT_TRUE(out->Close().ok());
  EXPECT_EQ(ReadAs(TypeId::kInt, path), "1 2 1");
}

/// A file of one column of byte arrays that has a logical type which Arrow's writer does not write.
TEST_F(ParquetFormsTest, ByteArraysOfEveryLogicalType) {
  struct Case {
    std::shared_ptr<const LogicalType> logical;
    Type type;
    std::string expected;
  };
  const std::vector<Case> cases = {
      {LogicalType::Geometry("OGC:CRS84"), Type::Geometry("OGC:CRS84"), R"("6162" "")"},
      {LogicalType::Geography("OGC:CRS84"), Type::Geography("OGC:CRS84", "spherical"),
       R"("6162" "")"},
      {LogicalType::None(), Type::Geometry("OGC:CRS84"), R"("6162" "")"},
      {LogicalType::Enum(), TypeId::kString, R"("ab" "")"},
      {LogicalType::JSON(), TypeId::kString, R"("ab" "")"},
      {LogicalType::BSON(), TypeId::kBinary, R"("6162" "")"},
      {LogicalType::None(), TypeId::kString, R"("ab" "")"},
      {LogicalType::String(), TypeId::kBinary, R"("6162" "")"},
      {LogicalType::Decimal(5, 1), Type::Decimal(5, 1), R"("2491.4" "0.1")"},
  };
  for (const Case& c : cases) {
    const NodePtr column = PrimitiveNode::Make("c", Repetition::REQUIRED, c.logical,
                                               parquet::Type::BYTE_ARRAY, -1, /*field_id=*/1);
    const auto root = std::static_pointer_cast<GroupNode>(
        GroupNode::Make("table", Repetition::REQUIRED, {column}));
    const std::string path = Path("bytes.parquet");
    const auto out = arrow::io::FileOutputStream::Open(path).ValueOrDie();
    const auto writer = parquet::ParquetFileWriter::Open(out, root);
    const bool decimal = c.logical->is_decimal();
    const std::vector<parquet::ByteArray> values = {parquet::ByteArray(decimal ? "aR" : "ab"),
                                                    parquet::ByteArray(decimal ? "\x01" : "")};
    static_cast<parquet::ByteArrayWriter*>(writer->AppendRowGroup()->NextColumn())
        ->WriteBatch(2, nullptr, nullptr, values.data());
    writer->Close();
    EXPECT_TRUE(out->Close().ok());
    EXPECT_EQ(ReadAs(c.type, path), c.expected) << c.logical->ToString();
  }
}

}  // namespace
}  // namespace nunatak
