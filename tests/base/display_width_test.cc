#include "nunatak/base/display_width.h"

#include <gtest/gtest.h>

namespace nunatak {
namespace {

TEST(DisplayWidth, CountsColumnsNotBytes) {
  EXPECT_EQ(DisplayWidth("abc"), 3);
  EXPECT_EQ(DisplayWidth("größe"), 5);
  EXPECT_EQ(DisplayWidth("日本"), 4);
  EXPECT_EQ(DisplayWidth("😀"), 2);
  EXPECT_EQ(DisplayWidth("e\xCC\x81"), 1);
  EXPECT_EQ(DisplayWidth("\xE2"), 1);  // cut inside a character
}

TEST(Shorten, CutsBetweenCharacters) {
  EXPECT_EQ(Shorten("abcdef", 6), "abcdef");
  EXPECT_EQ(Shorten("abcdef", 4), "abc…");
  EXPECT_EQ(Shorten("日本語", 4), "日…");
}

TEST(ShortenStart, CutsBetweenCharacters) {
  EXPECT_EQ(ShortenStart("abcdef", 6), "abcdef");
  EXPECT_EQ(ShortenStart("abcdef", 4), "…def");
  EXPECT_EQ(ShortenStart("日本語", 4), "…語");
}

TEST(OneLine, HasABlankForEachLineEnd) {
  EXPECT_EQ(OneLine("a"), "a");
  EXPECT_EQ(OneLine("a\nerror: b\n"), "a error: b ");
}

}  // namespace
}  // namespace nunatak
