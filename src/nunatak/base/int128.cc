#include "nunatak/base/int128.h"

#include <algorithm>
#include <charconv>

namespace nunatak {

namespace {
__extension__ using UInt128 = unsigned __int128;
}

Int128 PowerOfTen(int exponent) {
  Int128 value = 1;
  for (int i = 0; i < exponent; ++i) value *= 10;
  return value;
}

std::string ToMinimalBigEndian(Int128 value) {
  std::string bytes;
  Int128 rest = value;
  for (;;) {
    const auto low = static_cast<int8_t>(static_cast<uint8_t>(rest & 0xFF));
    bytes.push_back(static_cast<char>(low));
    rest >>= 8;  // arithmetic: keeps the sign
    if ((rest == 0 && low >= 0) || (rest == -1 && low < 0)) break;
  }
  std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

std::optional<Int128> FromBigEndian(ByteSpan bytes) {
  if (bytes.empty()) return std::nullopt;
  const uint8_t fill = bytes[0] & 0x80 ? 0xFF : 0x00;
  while (bytes.size() > 16) {
    if (bytes[0] != fill) return std::nullopt;
    bytes = bytes.subspan(1);
  }
  if ((bytes[0] & 0x80) != (fill & 0x80)) return std::nullopt;
  UInt128 value = fill ? ~UInt128{0} : UInt128{0};
  for (uint8_t b : bytes) value = (value << 8) | b;
  return static_cast<Int128>(value);
}

std::string DecimalToString(Int128 unscaled, int scale) {
  const bool negative = unscaled < 0;
  UInt128 rest =
      negative ? UInt128{0} - static_cast<UInt128>(unscaled) : static_cast<UInt128>(unscaled);
  std::string digits;
  do {
    digits.push_back(static_cast<char>('0' + static_cast<int>(rest % 10)));
    rest /= 10;
  } while (rest != 0);
  while (static_cast<int>(digits.size()) <= scale) digits.push_back('0');
  if (scale > 0) digits.insert(static_cast<size_t>(scale), ".");
  if (negative) digits.push_back('-');
  std::reverse(digits.begin(), digits.end());
  return digits;
}

namespace {

struct DecimalText {
  bool negative = false;
  std::string digits;
  int64_t fraction_digits = 0;
};

std::optional<DecimalText> SplitDecimal(std::string_view text) {
  DecimalText parts;
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
    parts.negative = text[0] == '-';
    text.remove_prefix(1);
  }
  bool point = false;
  size_t i = 0;
  for (; i < text.size(); ++i) {
    if (text[i] == '.' && !point) {
      point = true;
    } else if (text[i] >= '0' && text[i] <= '9') {
      parts.digits.push_back(text[i]);
      if (point) ++parts.fraction_digits;
    } else {
      break;
    }
  }
  if (parts.digits.empty()) return std::nullopt;
  if (i == text.size()) return parts;
  if (text[i] != 'e' && text[i] != 'E') return std::nullopt;
  if (++i < text.size() && text[i] == '+') {
    if (++i < text.size() && text[i] == '-') return std::nullopt;
  }
  int exponent = 0;
  const auto [end, code] = std::from_chars(text.data() + i, text.data() + text.size(), exponent);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  parts.fraction_digits -= exponent;
  return parts;
}

}  // namespace

std::optional<Int128> ParseDecimal(std::string_view text, int scale) {
  std::optional<DecimalText> parts = SplitDecimal(text);
  if (!parts) return std::nullopt;
  std::string& digits = parts->digits;
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  while (!digits.empty() && parts->fraction_digits > scale) {
    if (digits.back() != '0') return std::nullopt;
    digits.pop_back();
    --parts->fraction_digits;
  }
  if (digits.empty()) return 0;
  const int64_t zeros = scale - parts->fraction_digits;
  if (static_cast<int64_t>(digits.size()) + zeros > 38) return std::nullopt;
  Int128 value = 0;
  for (char c : digits) value = value * 10 + (c - '0');
  value *= PowerOfTen(static_cast<int>(zeros));
  return parts->negative ? -value : value;
}

}  // namespace nunatak
