#include "nunatak/read/decode/pages/rle_decoder.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "nunatak/base/error.h"

namespace nunatak {
namespace {

/// Encodes numbers as the format's page on encodings defines it.
class RleWriter {
 public:
  explicit RleWriter(int width) : width_(width) {}

  void Repeat(uint64_t count, uint32_t value) {
    Varint(count << 1);
    for (int i = 0; i < (width_ + 7) / 8; ++i) {
      bytes_.push_back(static_cast<uint8_t>(value >> (8 * i)));
    }
    numbers_.insert(numbers_.end(), count, value);
  }

  /// A multiple of eight.
  void Pack(const std::vector<uint32_t>& values) {
    Varint((values.size() / 8) << 1 | 1);
    std::vector<uint8_t> packed(values.size() * static_cast<size_t>(width_) / 8, 0);
    size_t bit = 0;
    for (const uint32_t value : values) {
      for (int i = 0; i < width_; ++i, ++bit) {
        packed[bit / 8] |= static_cast<uint8_t>(((value >> i) & 1u) << (bit % 8));
      }
    }
    bytes_.insert(bytes_.end(), packed.begin(), packed.end());
    numbers_.insert(numbers_.end(), values.begin(), values.end());
  }

  const std::vector<uint8_t>& bytes() const { return bytes_; }
  const std::vector<uint32_t>& numbers() const { return numbers_; }

 private:
  void Varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_.push_back(static_cast<uint8_t>(value | 0x80));
    bytes_.push_back(static_cast<uint8_t>(value));
  }

  int width_;
  std::vector<uint8_t> bytes_;
  std::vector<uint32_t> numbers_;
};

RleWriter RandomRuns(int width, std::mt19937& random) {
  RleWriter writer(width);
  const auto number = [&] {
    return width == 0 ? 0u : static_cast<uint32_t>(random()) >> (32 - width);
  };
  for (int run = 0; run < 12; ++run) {
    if (random() % 2 == 0) {
      writer.Repeat(1 + random() % 40, number());
    } else {
      std::vector<uint32_t> values(8 * (1 + random() % 12));
      for (uint32_t& value : values) value = number();
      writer.Pack(values);
    }
  }
  return writer;
}

TEST(RleDecoder, ReadsAndSkipsNumbersOfEveryWidth) {
  std::mt19937 random(7);
  for (int width = 0; width <= 32; ++width) {
    for (int round = 0; round < 20; ++round) {
      const RleWriter writer = RandomRuns(width, random);
      RleDecoder decoder(writer.bytes(), width);
      for (size_t at = 0; at < writer.numbers().size();) {
        const size_t count = std::min<size_t>(random() % 60, writer.numbers().size() - at);
        if (random() % 3 == 0) {
          decoder.Skip(static_cast<int64_t>(count));
        } else {
          std::vector<uint32_t> read(count);
          decoder.Read(read);
          const auto expected = writer.numbers().begin() + static_cast<std::ptrdiff_t>(at);
          ASSERT_TRUE(std::equal(read.begin(), read.end(), expected))
              << "width " << width << ", from number " << at;
        }
        at += count;
      }
      std::vector<uint32_t> one_more(1);
      EXPECT_THROW(decoder.Read(one_more), Error);
    }
  }
}

TEST(RleDecoder, TellsRunsOfOneNumber) {
  RleWriter writer(3);
  writer.Repeat(5, 6);
  writer.Pack(std::vector<uint32_t>(8, 6));
  RleDecoder decoder(writer.bytes(), 3);
  decoder.Skip(2);
  EXPECT_EQ(decoder.NextRun().count, 3);
  EXPECT_EQ(decoder.NextRun().value, 6u);
  decoder.Skip(3);
  EXPECT_EQ(decoder.NextRun().count, 0);
}

TEST(RleDecoder, AGroupMayBeCutAfterItsLastNumber) {
  // Eight numbers of 5 bits, of which three bytes hold the first four.
  const std::vector<uint8_t> bytes = {3, 0x41, 0x0c, 0x52};
  RleDecoder decoder(bytes, 5);
  std::vector<uint32_t> numbers(4);
  decoder.Read(numbers);
  EXPECT_EQ(numbers, (std::vector<uint32_t>{1, 2, 3, 4}));
  EXPECT_THROW(decoder.Skip(1), Error);
}

TEST(RleDecoder, RefusesWhatIsMalformed) {
  const std::vector<std::vector<uint8_t>> cases = {
      {},                                    // nothing
      {0x80},                                // a header that goes on
      {0xff, 0xff, 0xff, 0xff, 0xff, 0x01},  // a header beyond 32 bits
      {0xfe, 0xff, 0xff, 0xff, 0x1f, 0, 0},  // a run longer than any page
      {4, 1},                                // a number of 9 bits in one byte
      {0, 1, 0, 4, 1, 0},                    // a run of no numbers, before one of two
      {1, 4, 1, 0},                          // no packed numbers
      {7, 0, 0, 0, 0, 0, 0, 0, 0, 0},        // the first of three groups
  };
  for (const std::vector<uint8_t>& bytes : cases) {
    RleDecoder decoder(bytes, 9);
    std::vector<uint32_t> numbers(2);
    EXPECT_THROW(decoder.Read(numbers), Error) << bytes.size();
  }
  EXPECT_THROW(RleDecoder({}, 33), Error);
}

}  // namespace
}  // namespace nunatak
