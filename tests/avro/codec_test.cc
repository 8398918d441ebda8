#include "nunatak/avro/codec.h"

#include <gtest/gtest.h>

#include <string>

#include "avro/test_support.h"

namespace nunatak::avro {
namespace {

using nunatak::testing::CompressAvroBlock;

constexpr std::string_view kCodecNames[] = {"null", "deflate", "snappy", "zstandard"};

std::string Repeated(size_t size) {
  std::string text;
  while (text.size() < size) text += "s3://bucket/table/data/part-" + std::to_string(text.size());
  text.resize(size);
  return text;
}

std::string Inflate(std::string_view codec, const std::string& block) {
  Decompressor decompressor;
  ByteBuffer buffer;
  return std::string(AsText(decompressor.Decompress(FindCodec(codec), AsBytes(block), buffer)));
}

std::string FromHex(std::string_view hex) {
  std::string bytes;
  for (size_t i = 0; i < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

TEST(AvroCodec, InflatesWhatWasCompressed) {
  for (const std::string_view codec : kCodecNames) {
    for (const size_t size : {0, 1, 100, 70000, 3000000}) {
      const std::string text = Repeated(size);
      EXPECT_EQ(Inflate(codec, CompressAvroBlock(codec, text)), text) << codec << " " << size;
    }
  }
}

// Bytes of other makers: Python's zlib without its frame, the zstd command reading a pipe (which
// states no size), and snappy's format description by hand, with the checksum of Python's zlib.
TEST(AvroCodec, InflatesForeignBytes) {
  const std::string letters = "abcdefghijklmn";
  EXPECT_EQ(Inflate("deflate", FromHex("4b4c4a4e494d4bcfc8cccacec9cd4bc4c30300")),
            letters + letters + letters);
  EXPECT_EQ(Inflate("zstandard", FromHex("28b52ffd0458a50000706162636465666768696a6b6c6d6e01002"
                                         "14f25bad2ff6d")),
            letters + letters);
  EXPECT_EQ(Inflate("snappy", FromHex("0a006115014c11cdf0")), std::string(10, 'a'));
}

TEST(AvroCodec, ReusesOneBufferForBlocksOfAnySize) {
  Decompressor decompressor;
  ByteBuffer buffer;
  for (const size_t size : {50000, 10, 2000000, 0, 3000}) {
    for (const std::string_view codec : kCodecNames) {
      const std::string text = Repeated(size);
      const std::string block = CompressAvroBlock(codec, text);
      EXPECT_EQ(AsText(decompressor.Decompress(FindCodec(codec), AsBytes(block), buffer)), text);
    }
  }
}

TEST(AvroCodec, LetsTheRestOfAZlibChecksumPass) {
  EXPECT_EQ(Inflate("deflate", CompressAvroBlock("deflate", "abc") + "\x01\x02\x03"), "abc");
}

TEST(AvroCodec, RefusesUnknownCodecsByName) {
  for (const std::string_view name : {"bzip2", "xz", "lz4", "Deflate", ""}) {
    const std::string message = MessageOf([&] { FindCodec(name); }, ErrorCode::kUnsupported);
    EXPECT_CONTAINS(message, "'" + std::string(name) + "'");
  }
}

TEST(AvroCodec, RefusesEveryTruncation) {
  const std::string text = Repeated(300);
  for (const std::string_view codec : {"deflate", "snappy", "zstandard"}) {
    const std::string block = CompressAvroBlock(codec, text);
    // A zstandard block of no bytes is a sequence of no frames.
    for (size_t size = codec == "zstandard" ? 1 : 0; size < block.size(); ++size) {
      EXPECT_THROW(Inflate(codec, block.substr(0, size)), Error) << codec << " " << size;
    }
  }
}

TEST(AvroCodec, ChecksTheChecksumOfSnappy) {
  std::string block = CompressAvroBlock("snappy", "bookshop");
  block.back() = static_cast<char>(block.back() ^ 1);
  EXPECT_CONTAINS(MessageOf([&] { Inflate("snappy", block); }), "checksum");
}

// What inflates beyond the stated multiple is refused before it takes the memory.
TEST(AvroCodec, BoundsTheInflatedSize) {
  const std::string zeros(100 << 20, '\0');
  const std::string zstd = CompressAvroBlock("zstandard", zeros);
  ASSERT_LT(zstd.size() * 4096 + 65536, zeros.size());
  EXPECT_CONTAINS(MessageOf([&] { Inflate("zstandard", zstd); }), "inflates to more than");

  // Snappy states 2^31 bytes in five; the data is missing.
  const std::string snappy = FromHex("808080800800000000");
  EXPECT_CONTAINS(MessageOf([&] { Inflate("snappy", snappy); }), "inflates to more than");

  // Deflate at its densest is still read.
  const std::string dense(20 << 20, '\0');
  EXPECT_EQ(Inflate("deflate", CompressAvroBlock("deflate", dense)), dense);
}

}  // namespace
}  // namespace nunatak::avro
