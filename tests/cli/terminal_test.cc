#include "nunatak/cli/terminal.h"

#include <gtest/gtest.h>

namespace nunatak::cli {
namespace {

TEST(Terminal, AFileHasNoLimitAndNoStyles) {
  std::FILE* file = std::tmpfile();
  const Terminal terminal = Terminal::Of(file);
  EXPECT_EQ(terminal.stream, file);
  EXPECT_EQ(terminal.width, 0);
  EXPECT_FALSE(terminal.interactive);
  EXPECT_EQ(terminal.Styled(Style::kError, "text"), "text");
  std::fclose(file);
}

TEST(Terminal, StylesAreUndone) {
  const Terminal terminal{.colour = true};
  EXPECT_EQ(terminal.Styled(Style::kHeader, "text"), "\x1b[1mtext\x1b[0m");
  EXPECT_EQ(terminal.Styled(Style::kError, "text"), "\x1b[1;31mtext\x1b[0m");
  EXPECT_EQ(terminal.Styled(Style::kHint, "text"), "\x1b[36mtext\x1b[0m");
}

TEST(Printable, KeepsTextAndLineEnds) {
  EXPECT_EQ(Printable("größe 日本 😀 é\n\xC2\xA0|"), "größe 日本 😀 é\n\xC2\xA0|");
  EXPECT_EQ(Printable(""), "");
}

TEST(Printable, ControlCharactersBecomeBlanks) {
  EXPECT_EQ(Printable("a\x1b[31m\tb\r\x7F"), "a [31m b  ");
  EXPECT_EQ(Printable("a\xC2\x9B"
                      "1mb"),
            "a 1mb");  // C1's own "escape ["
}

TEST(Printable, BytesThatAreNotUtf8AreReplaced) {
  EXPECT_EQ(Printable("a\xE2"), "a\xEF\xBF\xBD");
  EXPECT_EQ(Printable("\x9B"
                      "b\xC2"),
            "\xEF\xBF\xBD"
            "b\xEF\xBF\xBD");
}

}  // namespace
}  // namespace nunatak::cli
