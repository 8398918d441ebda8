#include "nunatak/base/hash.h"

#include <gtest/gtest.h>

#include <string>

namespace nunatak {
namespace {

using std::string_view_literals::operator""sv;

std::string LittleEndian(int64_t value) {
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &value, 8);
  return bytes;
}

int32_t HashText(std::string_view text) { return Murmur3(AsBytes(text)); }
int32_t HashLong(int64_t value) { return HashText(LittleEndian(value)); }

// The specification's Appendix B, "32-bit Hash Requirements".
TEST(Murmur3, GivesTheTestValuesOfTheSpecification) {
  EXPECT_EQ(HashLong(34), 2017239379);                    // int and long
  EXPECT_EQ(HashLong(17486), -653330422);                 // date 2017-11-16
  EXPECT_EQ(HashLong(81068000000), -662762989);           // time 22:31:08
  EXPECT_EQ(HashLong(1510871468000000), -2047944441);     // timestamp 2017-11-16T22:31:08
  EXPECT_EQ(HashLong(1510871468000001), -1207196810);     // and a microsecond later
  EXPECT_EQ(HashLong(1), 1392991556);                     // boolean true
  EXPECT_EQ(HashLong(0x3FF0000000000000), -142385009);    // double 1.0
  EXPECT_EQ(HashLong(0), 1669671676);                     // double 0.0
  EXPECT_EQ(HashText("\x05\x8C"sv), -500754589);          // decimal 14.20
  EXPECT_EQ(HashText("iceberg"), 1210000089);             // string
  EXPECT_EQ(HashText("\x00\x01\x02\x03"sv), -188683207);  // fixed and binary
  EXPECT_EQ(HashText("\xF7\x9C\x3E\x09\x67\x7C\x4B\xBD\xA4\x79\x3F\x34\x9C\xB7\x85\xE7"sv),
            1488055340);  // uuid
}

uint32_t UnsignedHash(std::string_view text) { return static_cast<uint32_t>(HashText(text)); }

// Widely published vectors of MurmurHash3_x86_32 with seed 0: each length of the last block.
TEST(Murmur3, GivesThePublishedValuesForEachTailLength) {
  EXPECT_EQ(UnsignedHash(""), 0u);
  EXPECT_EQ(UnsignedHash("\xFF\xFF\xFF\xFF"sv), 0x76293B50u);
  EXPECT_EQ(UnsignedHash("\x21\x43\x65\x87"sv), 0xF55B516Bu);
  EXPECT_EQ(UnsignedHash("\x21\x43\x65"sv), 0x7E4A8634u);
  EXPECT_EQ(UnsignedHash("\x21\x43"sv), 0xA0F7B07Au);
  EXPECT_EQ(UnsignedHash("\x21"sv), 0x72661CF4u);
  EXPECT_EQ(UnsignedHash("\x00\x00\x00\x00"sv), 0x2362F9DEu);
  EXPECT_EQ(UnsignedHash("\x00\x00\x00"sv), 0x85F0B427u);
  EXPECT_EQ(UnsignedHash("\x00\x00"sv), 0x30F4C306u);
  EXPECT_EQ(UnsignedHash("\x00"sv), 0x514E28B7u);
}

// The check value of CRC-32/ISO-HDLC in the catalogue of CRC algorithms.
TEST(Crc32, GivesTheCheckValueOfTheCatalogue) {
  EXPECT_EQ(Crc32(AsBytes("123456789")), 0xCBF43926u);
  EXPECT_EQ(Crc32({}), 0u);
  EXPECT_EQ(Crc32(AsBytes("The quick brown fox jumps over the lazy dog")), 0x414FA339u);
}

}  // namespace
}  // namespace nunatak
