#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace nunatak::cli {

/// What a piece of text is, for those who see colours.
enum class Style { kHeader, kError, kHint };

/// A stream, and what may be written to it.
struct Terminal {
  std::FILE* stream = stdout;
  /// Columns; 0 is no limit.
  int width = 0;
  /// Whether it is a terminal that understands escape sequences.
  bool interactive = false;
  /// Whether styles show.
  bool colour = false;

  /// A terminal has its own width, or that of `COLUMNS`; it is interactive unless `TERM` is dumb,
  /// and then shows styles unless `NO_COLOR` is set. Anything else has no limit and no styles.
  static Terminal Of(std::FILE* stream);

  /// The text, between the escape sequences of its style where styles show.
  std::string Styled(Style style, std::string_view text) const;
};

/// The text without what would take control of a terminal: control characters other than line ends
/// become blanks, bytes that are not UTF-8 the replacement character.
std::string Printable(std::string_view text);
/// The same on one line.
std::string PrintableLine(std::string_view text);

}  // namespace nunatak::cli
