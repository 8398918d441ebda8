#include "nunatak/base/bytes.h"

namespace nunatak {

std::string ToHex(ByteSpan bytes) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string text;
  text.reserve(bytes.size() * 2);
  for (uint8_t b : bytes) {
    text.push_back(kDigits[b >> 4]);
    text.push_back(kDigits[b & 15]);
  }
  return text;
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
  size_t end = 0;
  while (end < bytes.size()) {
    const size_t length = Utf8SequenceLength(bytes.substr(end));
    if (length == 0) break;
    end += length;
  }
  return bytes.substr(0, end);
}

}  // namespace nunatak
