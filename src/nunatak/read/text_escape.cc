#include "nunatak/read/text_escape.h"

#include <algorithm>
#include <cstddef>

#include "nunatak/base/plain_ascii.h"

namespace nunatak {

namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

bool NeedsEscape(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

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

void AppendEscaped(char c, TextBuffer* out) {
  if (const char letter = EscapeLetter(c); letter != 0) {
    out->Append('\\');
    out->Append(letter);
    return;
  }
  const auto code = static_cast<unsigned char>(c);
  out->Append("\\u00");
  out->Append(kHexDigits[code >> 4]);
  out->Append(kHexDigits[code & 15]);
}

}  // namespace

void AppendJsonString(std::string_view text, TextBuffer* out) {
  if (IsPlainAscii<'"', '\\'>(text)) {
    char* at = out->Extend(text.size() + 2);
    *at = '"';
    *std::copy(text.begin(), text.end(), at + 1) = '"';
    return;
  }
  out->Append('"');
  size_t written = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (!NeedsEscape(text[i])) continue;
    out->Append(text.substr(written, i - written));
    AppendEscaped(text[i], out);
    written = i + 1;
  }
  out->Append(text.substr(written));
  out->Append('"');
}

void AppendCsvField(std::string_view text, TextBuffer* out) {
  const bool quote = text.empty() || text.front() == ' ' || text.back() == ' ' ||
                     text.find_first_of("\",\r\n") != std::string_view::npos;
  if (!quote) {
    out->Append(text);
    return;
  }
  char* const begin = out->Room(2 * text.size() + 2);
  char* at = begin;
  *at++ = '"';
  for (const char c : text) {
    *at++ = c;
    *at = '"';
    at += c == '"' ? 1 : 0;
  }
  *at++ = '"';
  out->Added(static_cast<size_t>(at - begin));
}

}  // namespace nunatak
