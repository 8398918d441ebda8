#include "nunatak/expr/hex.h"

namespace nunatak {

namespace {

constexpr size_t kUuidBytes = 16;

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
  std::string digits(text);
  if (text.size() == 36) {
    for (size_t hyphen : {8, 12, 16, 20}) {
      if (digits[hyphen] != '-') return std::nullopt;
      digits.erase(hyphen, 1);
    }
  }
  std::optional<std::string> bytes = ParseHex(digits);
  if (bytes && bytes->size() != kUuidBytes) return std::nullopt;
  return bytes;
}

}  // namespace nunatak
