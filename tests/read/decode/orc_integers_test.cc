#include "nunatak/read/decode/orc_integers.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "nunatak/base/error.h"

namespace nunatak {
namespace {

std::vector<int64_t> Integers(const std::vector<uint8_t>& bytes, OrcIntegerForm form) {
  std::vector<int64_t> integers;
  ReadOrcIntegers(bytes, form, [&](std::span<const int64_t> run) {
    integers.insert(integers.end(), run.begin(), run.end());
  });
  return integers;
}

constexpr OrcIntegerForm kFirst = {.version = 1};
constexpr OrcIntegerForm kFirstSigned = {.version = 1, .is_signed = true};
constexpr OrcIntegerForm kSecond = {.version = 2};
constexpr OrcIntegerForm kSecondSigned = {.version = 2, .is_signed = true};

/// The examples of the specification.
TEST(ReadOrcIntegers, RunsAndLiteralsOfTheFirstVersion) {
  EXPECT_EQ(Integers({0x61, 0x00, 0x07}, kFirst), std::vector<int64_t>(100, 7));
  const std::vector<int64_t> down = Integers({0x61, 0xff, 0x64}, kFirst);
  ASSERT_EQ(down.size(), 100u);
  EXPECT_EQ(down.front(), 100);
  EXPECT_EQ(down.back(), 1);
  EXPECT_EQ(Integers({0xfb, 0x02, 0x03, 0x06, 0x07, 0x0b}, kFirst),
            (std::vector<int64_t>{2, 3, 6, 7, 11}));
  EXPECT_EQ(Integers({0xfe, 0x01, 0x02}, kFirstSigned), (std::vector<int64_t>{-1, 1}));
}

TEST(ReadOrcIntegers, EveryKindOfRunOfTheSecondVersion) {
  EXPECT_EQ(Integers({0x0a, 0x27, 0x10}, kSecond), std::vector<int64_t>(5, 10000));
  EXPECT_EQ(Integers({0x5e, 0x03, 0x5c, 0xa1, 0xab, 0x1e, 0xde, 0xad, 0xbe, 0xef}, kSecond),
            (std::vector<int64_t>{23713, 43806, 57005, 48879}));
  EXPECT_EQ(
      Integers({0x8e, 0x13, 0x2b, 0x21, 0x07, 0xd0, 0x1e, 0x00, 0x14, 0x70, 0x28, 0x32, 0x3c, 0x46,
                0x50, 0x5a, 0x64, 0x6e, 0x78, 0x82, 0x8c, 0x96, 0xa0, 0xaa, 0xb4, 0xbe, 0xfc, 0xe8},
               kSecond),
      (std::vector<int64_t>{2030, 2000, 2020, 1000000, 2040, 2050, 2060, 2070, 2080, 2090,
                            2100, 2110, 2120, 2130,    2140, 2150, 2160, 2170, 2180, 2190}));
  EXPECT_EQ(Integers({0xc6, 0x09, 0x02, 0x02, 0x22, 0x42, 0x42, 0x46}, kSecond),
            (std::vector<int64_t>{2, 3, 5, 7, 11, 13, 17, 19, 23, 29}));
}

TEST(ReadOrcIntegers, FixedDeltasAndSigns) {
  // 4 values from 10 down in steps of 2; 3 times −1.
  EXPECT_EQ(Integers({0xc0, 0x03, 0x0a, 0x03}, kSecond), (std::vector<int64_t>{10, 8, 6, 4}));
  EXPECT_EQ(Integers({0x00, 0x01}, kSecondSigned), (std::vector<int64_t>{-1, -1, -1}));
}

TEST(ReadOrcIntegers, ARunThatGoesBeyondItsStreamIsAnError) {
  const std::vector<uint8_t> whole = {0x5e, 0x03, 0x5c, 0xa1, 0xab, 0x1e, 0xde, 0xad, 0xbe, 0xef};
  for (size_t size = 1; size < whole.size(); ++size) {
    EXPECT_THROW(
        Integers({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)}, kSecond),
        Error);
  }
  EXPECT_THROW(Integers(std::vector<uint8_t>(20, 0xff), kFirst), Error);
}

}  // namespace
}  // namespace nunatak
