#include "nunatak/avro/varint.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "avro/test_support.h"

namespace nunatak::avro {
namespace {

using nunatak::testing::AvroBytes;

/// Where `count` longs end when they are read one by one; −1 when one cannot be read.
int64_t EndOfLongs(const std::string& bytes, int64_t count) {
  const uint8_t* at = AsBytes(bytes).data();
  const uint8_t* end = at + bytes.size();
  for (int64_t value = 0; count > 0; --count) {
    if (!ReadLong(at, end, value)) return -1;
  }
  return at - AsBytes(bytes).data();
}

int64_t EndOfSkippedLongs(const std::string& bytes, int64_t count) {
  const uint8_t* at = AsBytes(bytes).data();
  if (!SkipLongs(at, at + bytes.size(), count)) return -1;
  return at - AsBytes(bytes).data();
}

TEST(AvroVarint, SkipsWhatItReads) {
  std::mt19937_64 random(7);
  for (int run = 0; run < 3000; ++run) {
    AvroBytes encoded;
    const int longs = static_cast<int>(random() % 40);
    // Runs of short, of long and of mixed numbers.
    const int shift = static_cast<int>(random() % 64);
    for (int i = 0; i < longs; ++i) {
      const int bits = run % 3 == 0 ? shift : static_cast<int>(random() % 64);
      encoded.Long(static_cast<int64_t>(random()) >> bits);
    }
    const std::string& bytes = encoded.bytes();
    EXPECT_EQ(EndOfSkippedLongs(bytes, longs), static_cast<int64_t>(bytes.size()));
    for (int count = 0; count <= longs + 1; ++count) {
      EXPECT_EQ(EndOfSkippedLongs(bytes, count), EndOfLongs(bytes, count)) << count;
    }
  }
}

TEST(AvroVarint, RefusesToSkipWhatItRefusesToRead) {
  std::mt19937_64 random(8);
  int refused = 0;
  for (int run = 0; run < 20000; ++run) {
    // Mostly bytes that do not end a number, so that too long ones come at every offset.
    std::string bytes;
    const int size = static_cast<int>(random() % 60);
    for (int i = 0; i < size; ++i) {
      bytes += static_cast<char>(random() % 10 == 0 ? random() % 4 : 0x80 | (random() & 0xff));
    }
    const auto count = static_cast<int64_t>(random() % 12);
    const int64_t expected = EndOfLongs(bytes, count);
    EXPECT_EQ(EndOfSkippedLongs(bytes, count), expected);
    refused += expected < 0;
  }
  EXPECT_GT(refused, 1000);
  EXPECT_LT(refused, 19000);
}

}  // namespace
}  // namespace nunatak::avro
