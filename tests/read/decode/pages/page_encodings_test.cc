// Every encoding of every type that pages are decoded from, against what was written and against
// Arrow's own reader.
#include <arrow/api.h>
#include <arrow/compute/api.h>
#include <arrow/io/file.h>
#include <parquet/arrow/writer.h>
#include <parquet/properties.h>

#include <random>
#include <string>
#include <vector>

#include "nunatak/read/decode/parquet_file.h"
#include "nunatak/read/open_parquet.h"
#include "read/decode/read_fields.h"
#include "read/scan_fixture.h"

namespace nunatak {
namespace {

using parquet::Encoding;

struct Case {
  const char* what;
  std::shared_ptr<arrow::DataType> type;
  /// Plain for a dictionary.
  Encoding::type encoding;
  bool dictionary = false;
  bool decimals_as_integers = false;
};

std::vector<Case> Cases() {
  const auto micros = arrow::timestamp(arrow::TimeUnit::MICRO);
  std::vector<Case> cases = {
      {"RLE booleans", arrow::boolean(), Encoding::RLE},
      {"plain booleans", arrow::boolean(), Encoding::PLAIN},
      {"lengths apart", arrow::utf8(), Encoding::DELTA_LENGTH_BYTE_ARRAY},
      {"common beginnings", arrow::utf8(), Encoding::DELTA_BYTE_ARRAY},
      {"common beginnings of binaries", arrow::binary(), Encoding::DELTA_BYTE_ARRAY},
      {"differences", arrow::int32(), Encoding::DELTA_BINARY_PACKED},
      {"differences", arrow::int64(), Encoding::DELTA_BINARY_PACKED},
      {"differences of timestamps", micros, Encoding::DELTA_BINARY_PACKED},
      {"differences of decimals", arrow::decimal128(18, 2), Encoding::DELTA_BINARY_PACKED, false,
       true},
      {"streams", arrow::float32(), Encoding::BYTE_STREAM_SPLIT},
      {"streams", arrow::float64(), Encoding::BYTE_STREAM_SPLIT},
      {"streams of bytes", arrow::fixed_size_binary(5), Encoding::BYTE_STREAM_SPLIT},
      {"decimals as ints", arrow::decimal128(9, 2), Encoding::PLAIN, false, true},
      {"decimals as longs", arrow::decimal128(18, 2), Encoding::PLAIN, false, true},
      {"decimals as longs", arrow::decimal128(18, 2), Encoding::PLAIN, true, true},
  };
  for (const auto& type :
       {arrow::int32(), arrow::int64(), arrow::float32(), arrow::float64(), arrow::date32(), micros,
        arrow::utf8(), arrow::binary(), arrow::fixed_size_binary(16), arrow::fixed_size_binary(3),
        arrow::decimal128(38, 5), arrow::decimal128(5, 1)}) {
    for (const bool dictionary : {false, true}) {
      cases.push_back({"plain", type, Encoding::PLAIN, dictionary});
    }
  }
  return cases;
}

class PageEncodingsTest : public ScanTest {
 protected:
  size_t Below(size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random_); }

  /// Values in stretches that repeat, ascend or are anything; nulls in stretches too.
  std::shared_ptr<arrow::Array> RandomValues(const std::shared_ptr<arrow::DataType>& type,
                                             int64_t rows, bool nullable) {
    const std::shared_ptr<arrow::DataType> from =
        type->id() == arrow::Type::BINARY ? arrow::utf8() : type;
    std::unique_ptr<arrow::ArrayBuilder> builder = arrow::MakeBuilder(from).ValueOrDie();
    while (builder->length() < rows) {
      const size_t stretch = 1 + Below(Below(4) == 0 ? 700 : 9);
      const bool is_null = nullable && Below(3) == 0;
      const bool repeats = Below(2) == 0;
      uint64_t bits = random_() >> Below(64);
      for (size_t i = 0; i < stretch && builder->length() < rows; ++i) {
        if (is_null) {
          EXPECT_TRUE(builder->AppendNull().ok());
          continue;
        }
        if (!repeats) bits = Below(2) == 0 ? bits + Below(9) : random_() >> Below(64);
        EXPECT_TRUE(builder->AppendScalar(*ScalarOf(from, bits)).ok());
      }
    }
    return builder->Finish().ValueOrDie()->View(type).ValueOrDie();
  }

  static std::shared_ptr<arrow::Scalar> ScalarOf(const std::shared_ptr<arrow::DataType>& type,
                                                 uint64_t bits) {
    if (type->id() == arrow::Type::STRING) {
      const std::string digits = std::to_string(bits);
      return arrow::MakeScalar(digits.substr(0, bits % 25));
    }
    if (type->id() == arrow::Type::FIXED_SIZE_BINARY) {
      std::string text = std::to_string(bits) + std::string(16, '.');
      text.resize(static_cast<size_t>(type->byte_width()));
      return std::make_shared<arrow::FixedSizeBinaryScalar>(arrow::Buffer::FromString(text), type);
    }
    if (arrow::is_decimal(type->id())) {
      const arrow::Decimal128 value(static_cast<int64_t>(bits % 199'999) - 99'999);
      return std::make_shared<arrow::Decimal128Scalar>(value, type);
    }
    if (type->id() == arrow::Type::BOOL) return arrow::MakeScalar(bits % 2 == 0);
    if (type->byte_width() == 4) {
      return arrow::MakeScalar(static_cast<int32_t>(bits))->CastTo(type).ValueOrDie();
    }
    return arrow::MakeScalar(static_cast<int64_t>(bits))->CastTo(type).ValueOrDie();
  }

  std::string WriteCase(const Case& c, const std::shared_ptr<arrow::Table>& table) {
    const std::string path = Path("encoded.parquet");
    const auto out = arrow::io::FileOutputStream::Open(path).ValueOrDie();
    parquet::WriterProperties::Builder properties;
    if (!c.dictionary) properties.disable_dictionary()->encoding(c.encoding);
    if (c.decimals_as_integers) properties.enable_store_decimal_as_integer();
    const parquet::Compression::type codecs[] = {
        parquet::Compression::UNCOMPRESSED, parquet::Compression::ZSTD,
        parquet::Compression::SNAPPY, parquet::Compression::GZIP};
    properties.compression(codecs[Below(std::size(codecs))]);
    properties.data_page_version(Below(2) == 0 ? parquet::ParquetDataPageVersion::V1
                                               : parquet::ParquetDataPageVersion::V2);
    // Small pages, and dictionaries that are given up halfway.
    properties.data_pagesize(static_cast<int64_t>(100 + Below(20'000)));
    properties.dictionary_pagesize_limit(static_cast<int64_t>(50 + Below(20'000)));
    properties.write_batch_size(static_cast<int64_t>(1 + Below(500)));
    properties.enable_page_checksum();
    EXPECT_TRUE(parquet::arrow::WriteTable(*table, arrow::default_memory_pool(), out, 1 << 20,
                                           properties.build())
                    .ok());
    EXPECT_TRUE(out->Close().ok());
    return path;
  }

  std::unique_ptr<ParquetFile> Open(const std::string& path, const DecodeOptions& options) {
    OpenedParquet opened = OpenParquet(*io_, Context{}, path, io_->Size(path), options);
    for (FileField& field : opened.file->fields()) SelectLeaves(field, /*all=*/true);
    opened.file->FinishSelection();
    opened.file->Fill(0, io_->ReadAll(path));
    opened.file->StartSection(0, {{0, opened.file->sections()[0].rows}});
    return std::move(opened.file);
  }

  RowSelection RandomRows(int64_t rows) {
    std::vector<uint8_t> dropped(static_cast<size_t>(rows));
    const size_t longest = 1 + Below(200);
    for (size_t i = 0; i < dropped.size();) {
      const uint8_t mark = Below(3) == 0 ? 0 : 1;
      for (size_t n = 1 + Below(longest); n > 0 && i < dropped.size(); --n) dropped[i++] = mark;
    }
    return RowSelection::Without(dropped);
  }

  /// Reads batches of random rows, and some not at all, and compares with the rows of `expected`.
  void Compare(const Case& c, ParquetFile& file, const arrow::Array& expected) {
    int64_t read_rows = 0;
    for (auto range = file.NextRows(); range.size() > 0; range = file.NextRows()) {
      const int64_t rows = range.size();
      read_rows += rows;
      const std::shared_ptr<arrow::Array> all = expected.Slice(range.begin, rows);
      if (Below(4) == 0) continue;
      const RowSelection wanted = Below(2) == 0 ? RowSelection::All(rows) : RandomRows(rows);
      const std::shared_ptr<arrow::Array> read = file.Read(0, wanted);
      ASSERT_TRUE(read->ValidateFull().ok()) << read->ValidateFull().ToString();
      ASSERT_EQ(read->length(), wanted.count());
      int64_t at = 0;
      for (const RowRange& piece : wanted.ranges()) {
        ASSERT_TRUE(read->Slice(at, piece.size())
                        ->Equals(all->Slice(piece.begin, piece.size()),
                                 arrow::EqualOptions().nans_equal(true)))
            << c.what << ' ' << expected.type()->ToString() << ", row " << piece.begin;
        at += piece.size();
      }
    }
    EXPECT_EQ(read_rows, expected.length());
  }

  std::mt19937_64 random_{20};
};

TEST_F(PageEncodingsTest, EveryEncodingOfEveryType) {
  for (int round = 0; round < 4; ++round) {
    for (const Case& c : Cases()) {
      const bool nullable = Below(3) > 0;
      const auto values = RandomValues(c.type, static_cast<int64_t>(1 + Below(6000)), nullable);
      const auto table =
          arrow::Table::Make(arrow::schema({FileColumn(1, "c", c.type, nullable)}), {values});
      const std::string path = WriteCase(c, table);
      for (const bool only_arrow : {false, true}) {
        const auto file = Open(path, {.batch_size = static_cast<int64_t>(1 + Below(3000)),
                                      .verify_crc = true,
                                      .only_arrow = only_arrow});
        ASSERT_NO_FATAL_FAILURE(Compare(c, *file, *values));
      }
    }
  }
}

TEST_F(PageEncodingsTest, StructsAreNullWhereTheFileSaysSo) {
  for (int round = 0; round < 20; ++round) {
    const auto rows = static_cast<int64_t>(1 + Below(3000));
    const auto inner_type = arrow::struct_(
        {arrow::field("x", arrow::int64()), arrow::field("y", arrow::utf8(), Below(2) == 0)});
    const auto inner_fields = inner_type->fields();
    const auto inner = std::make_shared<arrow::StructArray>(
        inner_type, rows,
        arrow::ArrayVector{RandomValues(arrow::int64(), rows, true),
                           RandomValues(arrow::utf8(), rows, inner_fields[1]->nullable())},
        RandomValues(arrow::boolean(), rows, false)->data()->buffers[1]);
    const auto outer_type =
        arrow::struct_({arrow::field("s", inner_type), arrow::field("z", arrow::int32())});
    const auto outer = std::make_shared<arrow::StructArray>(
        outer_type, rows, arrow::ArrayVector{inner, RandomValues(arrow::int32(), rows, true)},
        RandomValues(arrow::boolean(), rows, false)->data()->buffers[1]);
    const auto table = arrow::Table::Make(arrow::schema({FileColumn(1, "c", outer_type)}), {outer});
    const Case c{"structs", outer_type, Encoding::PLAIN, Below(2) == 0};
    const std::string path = WriteCase(c, table);
    for (const bool only_arrow : {false, true}) {
      const auto file = Open(
          path, {.batch_size = static_cast<int64_t>(1 + Below(3000)), .only_arrow = only_arrow});
      ASSERT_NO_FATAL_FAILURE(Compare(c, *file, *outer));
    }
  }
}

}  // namespace
}  // namespace nunatak
