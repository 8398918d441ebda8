#include "nunatak/avro/container.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "avro/test_support.h"
#include "nunatak/avro/schema.h"

namespace nunatak::avro {
namespace {

using nunatak::testing::AvroBytes;
using nunatak::testing::AvroFile;

constexpr std::string_view kSchema =
    R"({"type":"record","name":"r","fields":[{"name":"a","type":"long"}]})";
constexpr std::string_view kCodecNames[] = {"null", "deflate", "snappy", "zstandard"};

AvroFile SmallFile(std::string_view codec) {
  return {.schema = std::string(kSchema),
          .codec = std::string(codec),
          .metadata = {{"format-version", "2"}},
          .blocks = {{AvroBytes().Long(1).bytes(), AvroBytes().Long(-1).bytes()},
                     {},
                     {AvroBytes().Long(1000).bytes()}}};
}

/// The values of all records of a file of `kSchema`, read from the first byte to the last.
std::vector<int64_t> ReadAll(const std::string& file) {
  const Container container(AsBytes(file));
  const std::shared_ptr<const DecodePlan> plan =
      CompilePlan(container.schema_json(), {{.names = {"a"}, .slot = 0}});
  Decompressor decompressor;
  ByteBuffer buffer;
  RecordCursor cursor(*plan);
  std::vector<int64_t> values;
  for (const CompressedBlock& block : container.blocks()) {
    cursor.Reset(container.ReadBlock(block, decompressor, buffer));
    while (cursor.Next()) values.push_back(cursor.slot(0).integer());
  }
  return values;
}

std::string OpenError(const std::string& file, ErrorCode code = ErrorCode::kInvalid) {
  return MessageOf([&] { Container container(AsBytes(file)); }, code);
}

TEST(AvroContainer, ReadsFilesOfEveryCodec) {
  for (const std::string_view codec : kCodecNames) {
    EXPECT_EQ(ReadAll(SmallFile(codec).Write()), (std::vector<int64_t>{1, -1, 1000})) << codec;
  }
}

TEST(AvroContainer, TellsHeaderAndBlocks) {
  const std::string file = SmallFile("null").Write();
  const Container container(AsBytes(file));
  EXPECT_EQ(container.schema_json(), kSchema);
  ASSERT_EQ(container.metadata().size(), 3u);
  EXPECT_EQ(container.metadata()[2].key, "format-version");
  EXPECT_EQ(AsText(*container.FindMetadata("format-version")), "2");
  EXPECT_EQ(container.FindMetadata("content"), std::nullopt);
  EXPECT_EQ(container.record_count(), 3);
  ASSERT_EQ(container.blocks().size(), 3u);
  // Blocks of 1 + 1 + data + 16 bytes, up to the end of the file.
  const int64_t size = static_cast<int64_t>(file.size());
  EXPECT_EQ(container.blocks()[0].offset, size - 20 - 18 - 20);
  EXPECT_EQ(container.blocks()[1].offset, size - 20 - 18);
  EXPECT_EQ(container.blocks()[2].offset, size - 20);
  EXPECT_EQ(container.blocks()[0].count, 2);
  EXPECT_EQ(container.blocks()[1].count, 0);
}

TEST(AvroContainer, ReadsAFileWithoutBlocks) {
  EXPECT_TRUE(ReadAll(AvroFile{.schema = std::string(kSchema)}.Write()).empty());
}

// The header is a map, which may come in several blocks, with or without sizes.
TEST(AvroContainer, ReadsHeadersOfSeveralBlocks) {
  AvroBytes file;
  file.Raw(std::string_view("Obj\x01", 4));
  file.SizedBlock({AvroBytes().Text("a").Text("1").bytes()});
  file.Long(2).Text("avro.schema").Text(kSchema).Text("b").Text("");
  file.SizedBlock(
      {AvroBytes().Text("a").Text("2").bytes(), AvroBytes().Text("c").Text("3").bytes()});
  file.Long(0).Raw("0123456789abcdef");
  const Container container(AsBytes(file.bytes()));
  EXPECT_EQ(container.metadata().size(), 5u);
  EXPECT_EQ(AsText(*container.FindMetadata("a")), "2");
  EXPECT_EQ(AsText(*container.FindMetadata("b")), "");
  EXPECT_EQ(AsText(*container.FindMetadata("c")), "3");
  // No avro.codec means no compression.
  EXPECT_EQ(&container.codec(), &FindCodec("null"));
}

TEST(AvroContainer, RefusesOtherFiles) {
  for (const std::string file : {"", "Obj", "PAR1PAR1", "Obj\x02zzzzzzzzzzzzzzzzzzzzzz"}) {
    EXPECT_CONTAINS(OpenError(file), "byte 0: not an Avro object container file");
  }
}

TEST(AvroContainer, RefusesHeadersThatLackTheSchema) {
  const std::string file =
      AvroBytes().Raw(std::string_view("Obj\x01", 4)).Long(0).Raw("0123456789abcdef").bytes();
  EXPECT_CONTAINS(OpenError(file), "byte 21: the header before lacks the key avro.schema");
}

TEST(AvroContainer, RefusesUnknownCodecsByName) {
  AvroFile file = SmallFile("null");
  std::string bytes = file.Write();
  bytes.replace(bytes.find("avro.codec\x08null") + 11, 4, "lzma");
  EXPECT_CONTAINS(OpenError(bytes, ErrorCode::kUnsupported), "'lzma'");
}

TEST(AvroContainer, RefusesEveryTruncation) {
  for (const std::string_view codec : kCodecNames) {
    const std::string file = SmallFile(codec).Write();
    const Container container(AsBytes(file));
    std::vector<size_t> whole = {file.size()};
    for (const CompressedBlock& block : container.blocks()) {
      whole.push_back(static_cast<size_t>(block.offset));
    }
    for (size_t size = 0; size < file.size(); ++size) {
      // A file that ends between two blocks is a well-formed file.
      if (std::ranges::find(whole, size) != whole.end()) continue;
      const std::string message = OpenError(file.substr(0, size));
      EXPECT_CONTAINS(message, "byte ") << codec << " " << size;
    }
  }
}

TEST(AvroContainer, RefusesWrongSyncMarkers) {
  const std::string file = SmallFile("null").Write();
  for (size_t i = 1; i <= 16; ++i) {
    std::string damaged = file;
    damaged[damaged.size() - i] ^= 1;
    const std::string at = std::to_string(file.size() - 16);
    const std::string block = std::to_string(file.size() - 20);
    EXPECT_CONTAINS(
        OpenError(damaged),
        "byte " + at + ": the sync marker after the block at byte " + block + " is wrong");
  }
}

TEST(AvroContainer, RefusesImpossibleBlocks) {
  const std::string header = AvroFile{.schema = std::string(kSchema)}.Write();
  const std::string at = "byte " + std::to_string(header.size());
  const std::string sync = "0123456789abcdef";
  const std::pair<std::string, std::string> cases[] = {
      {AvroBytes().Long(-1).Long(0).Raw(sync).bytes(), "negative count -1"},
      {AvroBytes().Long(1).Long(-5).Raw(sync).bytes(), "negative size -5"},
      {AvroBytes().Long(1).Long(1LL << 60).Raw(sync).bytes(), "but the file ends after 16"},
      {AvroBytes().Raw(std::string(11, '\xff')).bytes(),
       at + ": the record count of a block is not"},
      {AvroBytes().Long(1).Long(2).Raw("x").bytes(), "a block has 2 bytes, but the file ends"},
      {AvroBytes().Byte(0).bytes(), "the size of a block ends beyond the file"},
      {AvroBytes().Long(INT64_MAX).Long(0).Raw(sync).Long(INT64_MAX).Long(0).Raw(sync).bytes(),
       "more records than"},
  };
  for (const auto& [block, message] : cases) EXPECT_CONTAINS(OpenError(header + block), message);
}

TEST(AvroContainer, RefusesImpossibleHeaders) {
  const std::string magic("Obj\x01", 4);
  const std::pair<std::string, std::string> cases[] = {
      {AvroBytes().Raw(magic).Long(1LL << 60).Text("a").Text("b").bytes(),
       "the size of a metadata"},
      {AvroBytes().Raw(magic).Long(INT64_MIN).Long(3).bytes(), "out of range"},
      {AvroBytes().Raw(magic).Long(1).Long(-1).bytes(), "byte 6: a metadata key has the negative"},
  };
  for (const auto& [file, message] : cases) EXPECT_CONTAINS(OpenError(file), message);
}

TEST(AvroContainer, NamesTheBlockThatDoesNotInflate) {
  AvroFile file = SmallFile("snappy");
  std::string bytes = file.Write();
  const int64_t offset = Container(AsBytes(bytes)).blocks()[2].offset;
  // The checksum lies before the sync marker.
  bytes[bytes.size() - 17] ^= 1;
  EXPECT_CONTAINS(MessageOf([&] { ReadAll(bytes); }),
                  "avro block at byte " + std::to_string(offset) + ": the snappy block's checksum");
}

}  // namespace
}  // namespace nunatak::avro
