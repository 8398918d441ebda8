#include "nunatak/base/bytes.h"

#include <gtest/gtest.h>

namespace nunatak {
namespace {

using std::string_literals::operator""s;
using std::string_view_literals::operator""sv;

TEST(Buffer, OwnsTheBytesThatItWasMadeFrom) {
  std::shared_ptr<const void> owner;
  ByteSpan bytes;
  {
    const Buffer buffer = Buffer::From({1, 2, 3});
    EXPECT_EQ(buffer.size(), 3u);
    bytes = buffer.bytes;
    owner = buffer.owner;
  }
  EXPECT_EQ(bytes[2], 3);
  EXPECT_EQ(Buffer::From({}).size(), 0u);
}

TEST(Bytes, TextAndBytesAreViewsOfEachOther) {
  const std::string text = "a\0\xFF"s;
  const ByteSpan bytes = AsBytes(text);
  ASSERT_EQ(bytes.size(), 3u);
  EXPECT_EQ(bytes[2], 0xFF);
  EXPECT_EQ(AsText(bytes), text);
}

TEST(LoadLittleEndian, ReadsTheLowestByteFirstAtAnyAlignment) {
  const uint8_t bytes[] = {0xAA, 0x04, 0x03, 0x02, 0x81, 0, 0, 0, 0};
  EXPECT_EQ(LoadLittleEndian<uint32_t>(bytes + 1), 0x81020304u);
  EXPECT_EQ(LoadLittleEndian<int32_t>(bytes + 1), static_cast<int32_t>(0x81020304u));
  EXPECT_EQ(LoadLittleEndian<uint64_t>(bytes + 1), 0x81020304u);
}

TEST(ParseHex, ReadsPairsOfDigitsOfEitherCase) {
  EXPECT_EQ(ParseHex("00fFA9"), "\0\xFF\xA9"s);
  EXPECT_EQ(ParseHex(""), "");
  for (std::string_view text : {"0", "0x", "g0", "0g", " 0", "00 "}) {
    EXPECT_EQ(ParseHex(text), std::nullopt) << text;
  }
}

TEST(ParseUuid, WantsTheHyphensInTheirPlaces) {
  EXPECT_EQ(ParseUuid("00000000-0000-0000-0000-0000000000FF"), std::string(15, '\0') + "\xFF");
  for (std::string_view text :
       {"", "000000000000000000000000000000FF", "0000000-00000-0000-0000-0000000000FF",
        "00000000-0000-0000-0000-0000000000FG"}) {
    EXPECT_EQ(ParseUuid(text), std::nullopt) << text;
  }
}

TEST(ToHex, WritesTwoUpperCaseDigitsPerByte) {
  EXPECT_EQ(ToHex({}), "");
  EXPECT_EQ(ToHex(AsBytes("\0\x0F\xA0\xFF"sv)), "000FA0FF");
}

// Well-formed sequences are those of table 3-7 of the Unicode standard.
TEST(ValidUtf8Prefix, KeepsWellFormedTextWhole) {
  for (const std::string_view text :
       {""sv, "plain"sv, "\0"sv, "\xC2\x80"sv, "\xDF\xBF"sv, "\xE0\xA0\x80"sv, "\xED\x9F\xBF"sv,
        "\xEE\x80\x80"sv, "\xEF\xBF\xBF"sv, "\xF0\x90\x80\x80"sv, "\xF4\x8F\xBF\xBF"sv}) {
    EXPECT_EQ(ValidUtf8Prefix(text), text);
  }
}

TEST(ValidUtf8Prefix, StopsBeforeAnIllFormedSequence) {
  for (const std::string_view tail : {
           "\x80"sv,              // a continuation byte alone
           "\xC0\x80"sv,          // overlong
           "\xC1\xBF"sv,          // overlong
           "\xE0\x9F\xBF"sv,      // overlong
           "\xED\xA0\x80"sv,      // a surrogate
           "\xF0\x8F\xBF\xBF"sv,  // overlong
           "\xF4\x90\x80\x80"sv,  // above U+10FFFF
           "\xF5\x80\x80\x80"sv,  // above U+10FFFF
           "\xFF"sv,
       }) {
    const std::string text = "ok" + std::string(tail) + "ok";
    EXPECT_EQ(ValidUtf8Prefix(text), "ok") << ToHex(AsBytes(tail));
  }
}

TEST(ValidUtf8Prefix, DropsACharacterThatIsCutAnywhere) {
  const std::string text = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x8F\x94";  // a é € 🏔
  const size_t ends[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10};
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    EXPECT_EQ(ValidUtf8Prefix(std::string_view(text).substr(0, cut)).size(), ends[cut]) << cut;
  }
}

}  // namespace
}  // namespace nunatak
