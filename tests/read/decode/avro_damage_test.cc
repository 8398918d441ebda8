// Damaged and hostile files: an error or a result, never a crash, a hang or memory that the file
// does not account for.
#include <arrow/api.h>
#include <fmt/format.h>

#include "read/decode/avro_fixture.h"

namespace nunatak {
namespace {

using nunatak::testing::AvroBytes;
using nunatak::testing::AvroFile;

class AvroDamageTest : public AvroTest {
 protected:
  static AvroFile Nested(const std::string& codec) {
    const std::string record =
        AvroBytes()
            .NotNull()
            .Text("text")
            .Items({AvroBytes().Int(1).Double(2).bytes(), AvroBytes().Int(3).Double(4).bytes()})
            .SizedBlock({AvroBytes().Text("k").Null().bytes()})
            .Long(0)
            .Int(1)
            .Raw("abcd")
            .Text("\x01\x02")
            .bytes();
    return AvroFile{.schema = R"({"type": "record", "name": "r", "fields": [
        {"name": "s", "type": ["null", "string"], "field-id": 1},
        {"name": "l", "field-id": 2, "type": {"type": "array", "element-id": 3, "items":
            {"type": "record", "name": "e", "fields": [
                {"name": "a", "type": "int", "field-id": 4},
                {"name": "b", "type": "double", "field-id": 5}]}}},
        {"name": "m", "field-id": 6, "type": {"type": "map", "key-id": 7, "value-id": 8,
            "values": ["null", "long"]}},
        {"name": "e", "field-id": 9, "type": {"type": "enum", "name": "e9", "symbols": ["A", "B"]}},
        {"name": "f", "field-id": 10, "type": {"type": "fixed", "name": "f10", "size": 4}},
        {"name": "d", "field-id": 11, "type": {"type": "bytes", "logicalType": "decimal",
            "precision": 5, "scale": 1}}]})",
                    .codec = codec,
                    .blocks = {{record, record}, {record}}};
  }

  /// The code of the error that decoding ends with.
  static std::optional<ErrorCode> Outcome(const std::string& bytes) {
    try {
      for (const auto& batch : Decode(bytes, {}, {.window_bytes = 1}, 300).batches) {
        const arrow::Status valid = batch->ValidateFull();
        EXPECT_TRUE(valid.ok() || valid.message().find("UTF8") != std::string::npos)
            << valid.ToString();
      }
    } catch (const Error& error) {
      EXPECT_FALSE(error.message().empty());
      return error.code();
    }
    return std::nullopt;
  }

  static std::string OneColumn(const std::string& type, const std::vector<std::string>& records) {
    return AvroFile{.schema = fmt::format(R"({{"type": "record", "name": "r", "fields": [
                        {{"name": "c", "type": {}, "field-id": 1}}]}})",
                                          type),
                    .blocks = {records}}
        .Write();
  }
};

TEST_F(AvroDamageTest, ATruncatedFileIsAnErrorUnlessItEndsWithABlock) {
  AvroFile file = Nested("null");
  const std::string whole = file.Write();
  file.blocks.pop_back();
  const size_t first_block_end = file.Write().size();
  file.blocks.clear();
  const size_t header_end = file.Write().size();
  for (size_t size = 0; size < whole.size(); ++size) {
    const std::string cut = whole.substr(0, size);
    if (size == header_end || size == first_block_end) {
      EXPECT_EQ(Outcome(cut), std::nullopt);
    } else if (size >= header_end) {
      EXPECT_EQ(Outcome(cut), ErrorCode::kInvalid) << size;
    } else {
      EXPECT_EQ(ErrorFrom([&] {
                  avro::ContainerReader(AsBytes(cut), 0, static_cast<int64_t>(size)).ReadHeader();
                }).code(),
                ErrorCode::kInvalid)
          << size;
    }
  }
}

TEST_F(AvroDamageTest, ATruncatedFileNamesItselfAndTheByte) {
  const std::string whole = Nested("null").Write();
  const FileScanTask task = AvroTask(whole.substr(0, whole.size() - 1));
  const Error error =
      ErrorFrom([&] { Read(RequestFor(TableOf({TableColumn(1, "s", TypeId::kString)})), task); });
  EXPECT_EQ(error.code(), ErrorCode::kInvalid);
  EXPECT_NE(error.message().find(task.data_file->file_path), std::string::npos);
  EXPECT_NE(error.message().find("byte"), std::string::npos);
}

TEST_F(AvroDamageTest, AWrongSyncMarkerNamesTheBlock) {
  std::string bytes = Nested("null").Write();
  bytes[bytes.size() - 1] ^= 1;
  const Error error = ErrorFrom([&] { Decode(bytes); });
  EXPECT_NE(error.message().find("the sync marker after the block at byte"), std::string::npos)
      << error.message();
}

TEST_F(AvroDamageTest, EveryFlippedBitIsAnErrorOrAResult) {
  int errors = 0;
  for (const std::string codec : {"null", "deflate", "snappy", "zstandard"}) {
    const std::string whole = Nested(codec).Write();
    for (size_t i = 0; i < whole.size(); ++i) {
      for (const int bit : {0, 3, 6, 7}) {
        std::string damaged = whole;
        damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
        errors += Outcome(damaged) ? 1 : 0;
      }
    }
  }
  EXPECT_GT(errors, 1000);
}

TEST_F(AvroDamageTest, DeclaredCountsAllocateNothing) {
  const int64_t many = int64_t{1} << 40;
  const std::string array = R"({"type": "array", "items": "int"})";
  EXPECT_EQ(Outcome(OneColumn(array, {AvroBytes().Long(many).bytes()})), ErrorCode::kInvalid);
  EXPECT_EQ(Outcome(OneColumn(array, {AvroBytes().Long(INT64_MIN).Long(0).bytes()})),
            ErrorCode::kInvalid);
  // Items that take no bytes are not bounded by the file.
  EXPECT_EQ(Outcome(OneColumn(R"({"type": "array", "items": "null"})",
                              {AvroBytes().Long(many).Long(0).bytes()})),
            ErrorCode::kInvalid);
  EXPECT_EQ(Outcome(OneColumn(R"("bytes")", {AvroBytes().Long(many).bytes()})),
            ErrorCode::kInvalid);
  // Nor are nulls of a declared width.
  const std::string wide = R"(["null", {"type": "fixed", "name": "f", "size": 2000000000}])";
  EXPECT_EQ(Outcome(OneColumn(wide, {AvroBytes().Null().bytes()})), ErrorCode::kUnsupported);
  // A block that claims more records than it has bytes.
  AvroFile file{.schema = R"({"type": "record", "name": "r", "fields": []})"};
  EXPECT_EQ(Outcome(file.Write() + AvroBytes().Long(many).Long(0).Raw(file.sync).bytes()),
            ErrorCode::kInvalid);
}

TEST_F(AvroDamageTest, WideNullsEndBatchesEarly) {
  const std::string wide = R"(["null", {"type": "fixed", "name": "f", "size": 1000000}])";
  const std::vector<std::string> records(300, AvroBytes().Null().bytes());
  const Decoded decoded = Decode(OneColumn(wide, records));
  EXPECT_EQ(decoded.rows, 300);
  EXPECT_EQ(decoded.batches.at(0)->num_rows(), 17);
}

TEST_F(AvroDamageTest, RecordsWithoutBytesAreRows) {
  const std::vector<std::string> records(5000);
  EXPECT_EQ(Decode(OneColumn(R"("null")", records)).rows, 5000);
}

TEST_F(AvroDamageTest, SchemasThatGrowBeyondAllBoundsAreRefused) {
  EXPECT_EQ(Outcome(OneColumn(R"(["null", "r"])", {AvroBytes().Null().bytes()})),
            ErrorCode::kUnsupported);
  // Each type holds the one before it ten times.
  std::string type = R"({"type": "record", "name": "t0", "fields": []})";
  for (int i = 1; i <= 9; ++i) {
    std::string fields = fmt::format(R"({{"name": "f0", "type": {}}})", type);
    for (int f = 1; f < 10; ++f) {
      fields += fmt::format(R"(, {{"name": "f{}", "type": "t{}"}})", f, i - 1);
    }
    type = fmt::format(R"({{"type": "record", "name": "t{}", "fields": [{}]}})", i, fields);
  }
  EXPECT_EQ(Outcome(OneColumn(type, {""})), ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace nunatak
