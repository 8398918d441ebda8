#include "nunatak/base/int128.h"

#include <gtest/gtest.h>

#include <limits>
#include <ostream>

namespace nunatak {
namespace {

const Int128 kMaxDecimal38 = PowerOfTen(38) - 1;
const Int128 kMax = static_cast<Int128>((~static_cast<unsigned __int128>(0)) >> 1);
const Int128 kMin = -kMax - 1;

std::string Text(std::optional<Int128> value) {
  return value ? DecimalToString(*value, 0) : "nothing";
}

struct BytesCase {
  int64_t value;
  const char* hex;
};

// Two's complement, big-endian, of the minimal length (specification, Appendix D).
TEST(BigEndian, UsesTheFewestBytesThatKeepTheSign) {
  for (const auto& [value, hex] : std::initializer_list<BytesCase>{
           {0, "00"},
           {1, "01"},
           {-1, "FF"},
           {127, "7F"},
           {128, "0080"},
           {-128, "80"},
           {-129, "FF7F"},
           {255, "00FF"},
           {256, "0100"},
           {1420, "058C"},
           {32767, "7FFF"},
           {32768, "008000"},
           {-32768, "8000"},
           {-32769, "FF7FFF"},
           {std::numeric_limits<int64_t>::max(), "7FFFFFFFFFFFFFFF"},
           {std::numeric_limits<int64_t>::min(), "8000000000000000"},
       }) {
    const std::string bytes = ToMinimalBigEndian(value);
    EXPECT_EQ(ToHex(AsBytes(bytes)), hex);
    EXPECT_EQ(Text(FromBigEndian(AsBytes(bytes))), std::to_string(value));
  }
}

TEST(BigEndian, HoldsEvery128BitValue) {
  EXPECT_EQ(ToHex(AsBytes(ToMinimalBigEndian(kMax))), "7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF");
  EXPECT_EQ(ToHex(AsBytes(ToMinimalBigEndian(kMin))), "80000000000000000000000000000000");
  EXPECT_EQ(ToHex(AsBytes(ToMinimalBigEndian(kMaxDecimal38))), "4B3B4CA85A86C47A098A223FFFFFFFFF");
  for (const Int128 value : {kMax, kMin, kMaxDecimal38, -kMaxDecimal38}) {
    EXPECT_EQ(FromBigEndian(AsBytes(ToMinimalBigEndian(value))), value);
  }
}

// Writers that store a fixed length pad with the sign; some pad beyond 16 bytes.
TEST(BigEndian, ReadsPaddedBytes) {
  const auto padded = [](uint8_t fill, size_t count, std::initializer_list<uint8_t> tail) {
    std::vector<uint8_t> bytes(count, fill);
    bytes.insert(bytes.end(), tail);
    return FromBigEndian(bytes);
  };
  EXPECT_EQ(padded(0x00, 3, {0x80}), 128);
  EXPECT_EQ(padded(0xFF, 3, {0x80}), -128);
  EXPECT_EQ(padded(0x00, 15, {0x05}), 5);
  EXPECT_EQ(padded(0xFF, 30, {0x85}), -123);
  EXPECT_EQ(padded(0x00, 30, {0x85}), 133);
}

TEST(BigEndian, RefusesNothingAndTooMuch) {
  EXPECT_EQ(Text(FromBigEndian({})), "nothing");
  std::vector<uint8_t> bytes(17, 0);
  bytes[0] = 1;  // 2 to the power 128
  EXPECT_EQ(Text(FromBigEndian(bytes)), "nothing");
  bytes[0] = 0;
  bytes[1] = 0x80;  // 2 to the power 127: the sign would change
  EXPECT_EQ(Text(FromBigEndian(bytes)), "nothing");
  bytes[0] = 0xFF;
  bytes[1] = 0x7F;  // one below the smallest
  EXPECT_EQ(Text(FromBigEndian(bytes)), "nothing");
}

TEST(PowerOfTen, ReachesTheLargestPrecision) {
  EXPECT_EQ(Text(PowerOfTen(0)), "1");
  EXPECT_EQ(Text(PowerOfTen(18)), "1000000000000000000");
  EXPECT_EQ(Text(PowerOfTen(38)), "1" + std::string(38, '0'));
}

TEST(DecimalToString, WritesExactlyTheScalesDigits) {
  EXPECT_EQ(DecimalToString(1420, 2), "14.20");
  EXPECT_EQ(DecimalToString(-1420, 2), "-14.20");
  EXPECT_EQ(DecimalToString(5, 3), "0.005");
  EXPECT_EQ(DecimalToString(-5, 3), "-0.005");
  EXPECT_EQ(DecimalToString(0, 0), "0");
  EXPECT_EQ(DecimalToString(0, 2), "0.00");
  EXPECT_EQ(DecimalToString(kMaxDecimal38, 38), "0." + std::string(38, '9'));
  EXPECT_EQ(DecimalToString(kMin, 0), "-170141183460469231731687303715884105728");
}

struct ParseCase {
  const char* text;
  int scale;
  const char* unscaled;  ///< Null when the text is refused.
};

void PrintTo(const ParseCase& c, std::ostream* out) { *out << c.text << " at scale " << c.scale; }

class ParseDecimalTest : public testing::TestWithParam<ParseCase> {};

TEST_P(ParseDecimalTest, Parses) {
  const ParseCase& c = GetParam();
  EXPECT_EQ(Text(ParseDecimal(c.text, c.scale)), c.unscaled ? c.unscaled : "nothing");
}

INSTANTIATE_TEST_SUITE_P(Numbers, ParseDecimalTest,
                         testing::Values(ParseCase{"14.20", 2, "1420"},
                                         ParseCase{"14.2", 2, "1420"},
                                         ParseCase{"-14.2", 2, "-1420"}, ParseCase{"+7", 0, "7"},
                                         ParseCase{"14", 2, "1400"}, ParseCase{".5", 1, "5"},
                                         ParseCase{"5.", 1, "50"}, ParseCase{"0", 5, "0"},
                                         ParseCase{"-0.00", 1, "0"}, ParseCase{"000.10", 1, "1"},
                                         ParseCase{"1.500", 1, "15"}));

INSTANTIATE_TEST_SUITE_P(Exponents, ParseDecimalTest,
                         testing::Values(ParseCase{"1e2", 0, "100"}, ParseCase{"1E+2", 0, "100"},
                                         ParseCase{"1.5e1", 0, "15"}, ParseCase{"150e-1", 0, "15"},
                                         ParseCase{"1e-2", 2, "1"}, ParseCase{"1e-3", 2, nullptr},
                                         ParseCase{"0e99999", 2, "0"},
                                         ParseCase{"1e2147483647", 2, nullptr},
                                         ParseCase{"1e-2147483648", 2, nullptr},
                                         ParseCase{"1e99999999999", 2, nullptr}));

INSTANTIATE_TEST_SUITE_P(
    Limits, ParseDecimalTest,
    testing::Values(ParseCase{"99999999999999999999999999999999999999", 0,
                              "99999999999999999999999999999999999999"},
                    ParseCase{"-99999999999999999999999999999999999999", 0,
                              "-99999999999999999999999999999999999999"},
                    ParseCase{"100000000000000000000000000000000000000", 0, nullptr},
                    ParseCase{"9999999999999999999999999999999999999.9", 2, nullptr},
                    ParseCase{"0.9", 38, "90000000000000000000000000000000000000"},
                    ParseCase{"0000000000000000000000000000000000000000000001", 0, "1"}));

INSTANTIATE_TEST_SUITE_P(NotNumbers, ParseDecimalTest,
                         testing::Values(ParseCase{"", 0, nullptr}, ParseCase{"-", 0, nullptr},
                                         ParseCase{".", 0, nullptr}, ParseCase{"1.2.3", 2, nullptr},
                                         ParseCase{"1,5", 2, nullptr}, ParseCase{" 1", 0, nullptr},
                                         ParseCase{"1 ", 0, nullptr}, ParseCase{"0x10", 0, nullptr},
                                         ParseCase{"--1", 0, nullptr}, ParseCase{"1e", 0, nullptr},
                                         ParseCase{"1e+", 0, nullptr},
                                         ParseCase{"1e+-1", 2, nullptr},
                                         ParseCase{"1e1x", 0, nullptr},
                                         ParseCase{"NaN", 0, nullptr},
                                         ParseCase{"14.205", 2, nullptr}));

}  // namespace
}  // namespace nunatak
