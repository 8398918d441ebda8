#include "nunatak/base/bytes.h"

#include "nunatak/base/plain_ascii.h"

namespace nunatak {

std::string ToHex(ByteSpan bytes) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string text(bytes.size() * 2, '\0');
  char* at = text.data();
  for (const uint8_t b : bytes) {
    *at++ = kDigits[b >> 4];
    *at++ = kDigits[b & 15];
  }
  return text;
}

namespace {

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::optional<std::string> ParseHex(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() / 2);
  for (size_t i = 0; i < text.size(); i += 2) {
    const int high = HexDigit(text[i]);
    const int low = HexDigit(text[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes.push_back(static_cast<char>(high * 16 + low));
  }
  return bytes;
}

std::optional<std::string> ParseUuid(std::string_view text) {
  if (text.size() != 36) return std::nullopt;
  std::string digits;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool at_dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (at_dash != (text[i] == '-')) return std::nullopt;
    if (!at_dash) digits.push_back(text[i]);
  }
  return ParseHex(digits);
}

namespace {

/// The length of the well-formed UTF-8 sequence at the start of `s` (Unicode table 3-7), or 0.
size_t Utf8SequenceLength(std::string_view s) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(s[i]); };
  const auto continues = [&](size_t i, uint8_t low = 0x80, uint8_t high = 0xBF) {
    return i < s.size() && byte(i) >= low && byte(i) <= high;
  };
  const uint8_t b = byte(0);
  if (b < 0x80) return 1;
  if (b >= 0xC2 && b <= 0xDF) return continues(1) ? 2 : 0;
  if (b >= 0xE0 && b <= 0xEF) {
    const uint8_t low = b == 0xE0 ? 0xA0 : 0x80;
    const uint8_t high = b == 0xED ? 0x9F : 0xBF;
    return continues(1, low, high) && continues(2) ? 3 : 0;
  }
  if (b >= 0xF0 && b <= 0xF4) {
    const uint8_t low = b == 0xF0 ? 0x90 : 0x80;
    const uint8_t high = b == 0xF4 ? 0x8F : 0xBF;
    return continues(1, low, high) && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::string_view ValidUtf8Prefix(std::string_view bytes) {
  if (IsPlainAscii(bytes)) return bytes;
  size_t end = 0;
  while (end < bytes.size()) {
    const size_t length = Utf8SequenceLength(bytes.substr(end));
    if (length == 0) break;
    end += length;
  }
  return bytes.substr(0, end);
}

}  // namespace nunatak
