#include "nunatak/expr/decimal_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

namespace nunatak {

namespace {

constexpr int64_t kMaxDigits = 38;
/// Beyond every type, and far from overflowing.
constexpr int64_t kMaxExponent = 1'000'000'000;

Int128 ToInteger(std::string_view digits) {
  Int128 value = 0;
  for (char c : digits) value = value * 10 + (c - '0');
  return value;
}

/// The exponent after 'e', clamped; false when the text is none.
bool ParseExponent(std::string_view text, int64_t* exponent) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty()) return false;
  int64_t value = 0;
  for (char c : text) {
    if (c < '0' || c > '9') return false;
    value = std::min(value * 10 + (c - '0'), kMaxExponent);
  }
  *exponent = negative ? -value : value;
  return true;
}

}  // namespace

std::optional<DecimalText> DecimalText::Parse(std::string_view text) {
  DecimalText number;
  number.negative = text.starts_with('-');
  if (number.negative || text.starts_with('+')) text.remove_prefix(1);
  const size_t mark = std::min(text.find_first_of("eE"), text.size());
  if (mark < text.size() && !ParseExponent(text.substr(mark + 1), &number.exponent)) {
    return std::nullopt;
  }
  bool point = false;
  bool any = false;
  for (char c : text.substr(0, mark)) {
    if (c == '.' && !point) {
      point = true;
      continue;
    }
    if (c < '0' || c > '9') return std::nullopt;
    any = true;
    if (point) --number.exponent;
    if (c != '0' || !number.digits.empty()) number.digits.push_back(c);
  }
  if (!any) return std::nullopt;
  while (!number.digits.empty() && number.digits.back() == '0') {
    number.digits.pop_back();
    ++number.exponent;
  }
  return number;
}

DecimalText::Floored DecimalText::FloorAtScale(int scale) const {
  if (digits.empty()) return {};
  const int64_t shift = exponent + scale;
  const int64_t whole_digits = static_cast<int64_t>(digits.size()) + shift;
  if (whole_digits > kMaxDigits) return {.beyond = negative ? -1 : 1};
  if (shift >= 0) {
    const Int128 value = ToInteger(digits) * PowerOfTen(static_cast<int>(shift));
    return {.value = negative ? -value : value};
  }
  // The last digit is not zero, so that something lies behind the cut.
  const Int128 whole = ToInteger(
      std::string_view(digits).substr(0, static_cast<size_t>(std::max<int64_t>(whole_digits, 0))));
  return {.value = negative ? -whole - 1 : whole, .exact = false};
}

double DecimalText::Nearest() const {
  if (digits.empty()) return 0;
  const std::string text = fmt::format("{}{}e{}", negative ? "-" : "", digits, exponent);
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc::result_out_of_range) return value;
  // Too large or too small: the first digit's place tells which.
  if (exponent + static_cast<int64_t>(digits.size()) <= 0) return 0;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return negative ? -kInfinity : kInfinity;
}

}  // namespace nunatak
