#include "nunatak/read/text_escape.h"

#include <algorithm>
#include <cstddef>

namespace nunatak {

namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

bool NeedsEscape(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

bool NeedsQuotes(char c) { return c == '"' || c == ',' || c == '\r' || c == '\n'; }

/// The letter after the backslash, for characters that have one; 0 for others.
char EscapeLetter(char c) {
  switch (c) {
    case '"':
    case '\\':
      return c;
    case '\b':
      return 'b';
    case '\f':
      return 'f';
    case '\n':
      return 'n';
    case '\r':
      return 'r';
    case '\t':
      return 't';
    default:
      return 0;
  }
}

void AppendEscaped(char c, std::string* out) {
  if (const char letter = EscapeLetter(c); letter != 0) {
    *out += '\\';
    *out += letter;
    return;
  }
  const auto code = static_cast<unsigned char>(c);
  *out += "\\u00";
  *out += kHexDigits[code >> 4];
  *out += kHexDigits[code & 15];
}

}  // namespace

void AppendJsonString(std::string_view text, std::string* out) {
  *out += '"';
  size_t written = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (!NeedsEscape(text[i])) continue;
    out->append(text, written, i - written);
    AppendEscaped(text[i], out);
    written = i + 1;
  }
  out->append(text, written, text.size() - written);
  *out += '"';
}

void AppendCsvField(std::string_view text, std::string* out) {
  const bool quote = text.empty() || text.front() == ' ' || text.back() == ' ' ||
                     std::any_of(text.begin(), text.end(), NeedsQuotes);
  if (!quote) {
    *out += text;
    return;
  }
  *out += '"';
  for (const char c : text) {
    if (c == '"') *out += '"';
    *out += c;
  }
  *out += '"';
}

}  // namespace nunatak
