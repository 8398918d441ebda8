#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace nunatak {

/// A token of the filter language (docs/filters.md).
struct Token {
  enum class Kind {
    kEnd,
    kWord,    ///< A keyword or an unquoted name, as written.
    kQuoted,  ///< In double quotes or backquotes; `text` is what stands between them.
    kText,    ///< In single quotes; likewise.
    kNumber,  ///< Digits, point, exponent; a suffix such as L or BD is checked and left out.
    kSymbol,
  };

  Kind kind = Kind::kEnd;
  std::string text;
  size_t offset = 0;
};

/// Splits the text into tokens, the last of which is kEnd. Throws `ErrorCode::kUsage` with a caret.
std::vector<Token> Tokenize(std::string_view text);

/// AND, OR, NULL …: a column of that name needs quotes.
bool IsReservedWord(std::string_view word);

/// Whether a name can be written without quotes.
bool IsPlainName(std::string_view name);

}  // namespace nunatak
