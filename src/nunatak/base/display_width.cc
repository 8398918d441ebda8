#include "nunatak/base/display_width.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace nunatak {

namespace {

struct Range {
  uint32_t first, last;
};

/// Blocks that terminals show in two columns (Unicode East Asian Width W and F, and emoji).
constexpr std::array<Range, 12> kWide = {{{0x1100, 0x115F},
                                          {0x2E80, 0x303E},
                                          {0x3041, 0x33FF},
                                          {0x3400, 0x4DBF},
                                          {0x4E00, 0x9FFF},
                                          {0xA000, 0xA4CF},
                                          {0xAC00, 0xD7A3},
                                          {0xF900, 0xFAFF},
                                          {0xFE30, 0xFE6F},
                                          {0xFF00, 0xFF60},
                                          {0x1F300, 0x1FAFF},
                                          {0x20000, 0x3FFFD}}};
constexpr std::array<Range, 4> kZero = {
    {{0x0300, 0x036F}, {0x200B, 0x200F}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}}};

template <size_t N>
bool In(const std::array<Range, N>& ranges, uint32_t c) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [c](const Range& r) { return c >= r.first && c <= r.last; });
}

int CharacterWidth(uint32_t c) {
  if (c < 0x300) return 1;
  if (In(kZero, c)) return 0;
  return In(kWide, c) ? 2 : 1;
}

/// Takes one code point off the front; a malformed byte counts as one character.
uint32_t TakeCodePoint(std::string_view* text) {
  const auto lead = static_cast<uint8_t>(text->front());
  size_t length = lead < 0x80 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
  length = std::min(length, text->size());
  uint32_t c = length == 1 ? lead : lead & (0xFFU >> (length + 1));
  for (size_t i = 1; i < length; ++i) c = (c << 6) | (static_cast<uint8_t>((*text)[i]) & 0x3F);
  text->remove_prefix(length);
  return c;
}

}  // namespace

int DisplayWidth(std::string_view text) {
  int width = 0;
  while (!text.empty()) width += CharacterWidth(TakeCodePoint(&text));
  return width;
}

std::string ShortenStart(std::string_view text, int width) {
  int rest = DisplayWidth(text);
  if (rest <= width) return std::string(text);
  while (!text.empty() && rest > width - 1) rest -= CharacterWidth(TakeCodePoint(&text));
  return "…" + std::string(text);
}

std::string Shorten(std::string_view text, int width) {
  if (DisplayWidth(text) <= width) return std::string(text);
  std::string_view rest = text;
  int used = 0;
  size_t end = 0;
  while (!rest.empty()) {
    used += CharacterWidth(TakeCodePoint(&rest));
    if (used > width - 1) break;
    end = text.size() - rest.size();
  }
  return std::string(text.substr(0, end)) + "…";
}

std::string OneLine(std::string_view text) {
  std::string line(text);
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

}  // namespace nunatak
