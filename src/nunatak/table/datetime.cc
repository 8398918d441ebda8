#include "nunatak/table/datetime.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <limits>

#include "nunatak/base/int128.h"

namespace nunatak {

namespace {

constexpr int64_t kSecondsPerDay = 86400;
/// The Gregorian calendar repeats after an era of 400 years.
constexpr int64_t kDaysPerEra = 146097;
constexpr int64_t kYearsPerEra = 400;
/// From 0000-03-01 to 1970-01-01. Years are counted from March, so that the leap day comes last.
constexpr int64_t kEpochFromMarchZero = 719468;

constexpr std::array<int64_t, 10> kPowersOfTen = {1,      10,      100,      1000,      10000,
                                                  100000, 1000000, 10000000, 100000000, 1000000000};

int64_t UnitsPerSecond(int fraction_digits) {
  return kPowersOfTen[static_cast<size_t>(fraction_digits)];
}

/// 0 ≤ result < b, also where FloorDivide(a, b) times b would leave the range.
int64_t FloorRemainder(int64_t a, int64_t b) { return a % b < 0 ? a % b + b : a % b; }

int DaysInMonth(int64_t year, int month) {
  static constexpr std::array<int, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return month == 2 && leap ? 29 : kDays[static_cast<size_t>(month - 1)];
}

}  // namespace

int64_t DaysFromCivil(CivilDate date) {
  int64_t era = FloorDivide(date.year, kYearsPerEra);
  int64_t year = date.year - era * kYearsPerEra;
  int64_t month = date.month - 3;
  if (month < 0) {
    month += 12;
    if (--year < 0) {
      year += kYearsPerEra;
      --era;
    }
  }
  const int64_t day_of_year = (153 * month + 2) / 5 + date.day - 1;
  const int64_t day_of_era = year * 365 + year / 4 - year / 100 + day_of_year;
  // Wraps, rather than overflows, for years beyond any count of days.
  return static_cast<int64_t>(static_cast<uint64_t>(era) * static_cast<uint64_t>(kDaysPerEra) +
                              static_cast<uint64_t>(day_of_era - kEpochFromMarchZero));
}

CivilDate CivilFromDays(int64_t days) {
  constexpr int64_t kEpochEra = kEpochFromMarchZero / kDaysPerEra;
  constexpr int64_t kEpochDay = kEpochFromMarchZero % kDaysPerEra;
  int64_t era = FloorDivide(days, kDaysPerEra);
  int64_t day_of_era = FloorRemainder(days, kDaysPerEra) + kEpochDay;
  era += kEpochEra;
  if (day_of_era >= kDaysPerEra) {
    day_of_era -= kDaysPerEra;
    ++era;
  }
  const int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t march_month = (5 * day_of_year + 2) / 153;
  const int month = static_cast<int>(march_month < 10 ? march_month + 3 : march_month - 9);
  return CivilDate{.year = era * kYearsPerEra + year_of_era + (month <= 2 ? 1 : 0),
                   .month = month,
                   .day = static_cast<int>(day_of_year - (153 * march_month + 2) / 5 + 1)};
}

namespace {

/// Takes text apart from its front; each method returns whether it found what it names.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool AtEnd() const { return rest_.empty(); }

  bool Take(char c) {
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  /// Exactly `digits` decimal digits; what follows may be a digit too.
  bool TakeNumber(int digits, int* value) {
    const auto count = static_cast<size_t>(digits);
    if (CountDigits() < count) return false;
    std::from_chars(rest_.data(), rest_.data() + count, *value);
    rest_.remove_prefix(count);
    return true;
  }

  size_t CountDigits() const {
    size_t n = 0;
    while (n < rest_.size() && rest_[n] >= '0' && rest_[n] <= '9') ++n;
    return n;
  }

  /// All digits that follow, as a fraction of `places` digits. Further digits must be zeros.
  bool TakeFraction(int places, int64_t* value) {
    const size_t count = CountDigits();
    if (count == 0) return false;
    *value = 0;
    for (size_t i = 0; i < count || i < static_cast<size_t>(places); ++i) {
      const int digit = i < count ? rest_[i] - '0' : 0;
      if (i < static_cast<size_t>(places)) {
        *value = *value * 10 + digit;
      } else if (digit != 0) {
        return false;
      }
    }
    rest_.remove_prefix(count);
    return true;
  }

 private:
  std::string_view rest_;
};

/// Year, month and day as days since the epoch. At most 9 digits of a year, so that nothing
/// overflows.
bool ScanDate(Scanner* scan, int64_t* days) {
  const bool negative = scan->Take('-');
  const bool sign = negative || scan->Take('+');
  const size_t digits = scan->CountDigits();
  if (digits < 4 || digits > 9 || (digits > 4 && !sign)) return false;
  int year = 0;
  int month = 0;
  int day = 0;
  if (!scan->TakeNumber(static_cast<int>(digits), &year) || !scan->Take('-') ||
      !scan->TakeNumber(2, &month) || !scan->Take('-') || !scan->TakeNumber(2, &day)) {
    return false;
  }
  if (negative) year = -year;
  if (month < 1 || month > 12 || day < 1 || day > DaysInMonth(year, month)) return false;
  *days = DaysFromCivil({.year = year, .month = month, .day = day});
  return true;
}

/// A time of day in units of 10^-fraction_digits seconds.
bool ScanTime(Scanner* scan, int fraction_digits, int64_t* time) {
  int hour = 0;
  int minute = 0;
  int second = 0;
  int64_t fraction = 0;
  if (!scan->TakeNumber(2, &hour) || !scan->Take(':') || !scan->TakeNumber(2, &minute))
    return false;
  if (scan->Take(':')) {
    if (!scan->TakeNumber(2, &second)) return false;
    if (scan->Take('.') && !scan->TakeFraction(fraction_digits, &fraction)) return false;
  }
  if (hour > 23 || minute > 59 || second > 59) return false;
  *time = (hour * 3600 + minute * 60 + second) * UnitsPerSecond(fraction_digits) + fraction;
  return true;
}

/// "Z", "+hh:mm", "+hhmm" or "+hh", as seconds east of Greenwich.
bool ScanZone(Scanner* scan, int64_t* offset) {
  *offset = 0;
  if (scan->Take('Z') || scan->Take('z')) return true;
  const bool west = scan->Take('-');
  if (!west && !scan->Take('+')) return false;
  int hours = 0;
  int minutes = 0;
  if (!scan->TakeNumber(2, &hours)) return false;
  if (scan->Take(':') || !scan->AtEnd()) {
    if (!scan->TakeNumber(2, &minutes)) return false;
  }
  if (hours > 18 || minutes > 59) return false;
  *offset = (hours * 3600 + minutes * 60) * (west ? -1 : 1);
  return true;
}

}  // namespace

std::optional<int32_t> ParseDate(std::string_view text) {
  Scanner scan(text);
  int64_t days = 0;
  if (!ScanDate(&scan, &days) || !scan.AtEnd()) return std::nullopt;
  if (days != static_cast<int32_t>(days)) return std::nullopt;
  return static_cast<int32_t>(days);
}

std::optional<int64_t> ParseTime(std::string_view text) {
  Scanner scan(text);
  int64_t time = 0;
  if (!ScanTime(&scan, 6, &time) || !scan.AtEnd()) return std::nullopt;
  return time;
}

std::optional<ParsedTimestamp> ParseTimestamp(std::string_view text, int fraction_digits) {
  Scanner scan(text);
  int64_t days = 0;
  int64_t time = 0;
  int64_t offset = 0;
  if (!ScanDate(&scan, &days)) return std::nullopt;
  if (scan.Take('T') || scan.Take('t') || scan.Take(' ')) {
    if (!ScanTime(&scan, fraction_digits, &time)) return std::nullopt;
  }
  const bool has_zone = !scan.AtEnd();
  if (has_zone && (!ScanZone(&scan, &offset) || !scan.AtEnd())) return std::nullopt;
  const Int128 seconds = Int128{days} * kSecondsPerDay - offset;
  const Int128 value = seconds * UnitsPerSecond(fraction_digits) + time;
  if (value != static_cast<int64_t>(value)) return std::nullopt;
  return ParsedTimestamp{.value = static_cast<int64_t>(value), .has_zone = has_zone};
}

namespace {

/// The number with at least `width` digits, zeros before it.
void AppendPadded(uint64_t number, int width, std::string* text) {
  const fmt::format_int digits(number);
  const auto wanted = static_cast<size_t>(width);
  if (digits.size() < wanted) text->append(wanted - digits.size(), '0');
  text->append(digits.data(), digits.size());
}

void AppendDate(int64_t days, std::string* text) {
  const CivilDate date = CivilFromDays(days);
  if (date.year < 0) *text += '-';
  if (date.year > 9999) *text += '+';
  AppendPadded(static_cast<uint64_t>(date.year < 0 ? -date.year : date.year), 4, text);
  *text += '-';
  AppendPadded(static_cast<uint64_t>(date.month), 2, text);
  *text += '-';
  AppendPadded(static_cast<uint64_t>(date.day), 2, text);
}

/// Appends ".5" as ".500": three digits at a time, as few as keep the value, none for zero.
void AppendFraction(uint64_t fraction, int fraction_digits, std::string* text) {
  if (fraction == 0) return;
  while (fraction % 1000 == 0) {
    fraction /= 1000;
    fraction_digits -= 3;
  }
  *text += '.';
  AppendPadded(fraction, fraction_digits, text);
}

void AppendTime(int64_t value, int fraction_digits, std::string* text) {
  const auto units = static_cast<uint64_t>(UnitsPerSecond(fraction_digits));
  const uint64_t magnitude =
      value < 0 ? uint64_t{0} - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  const uint64_t seconds = magnitude / units;
  if (value < 0) *text += '-';
  AppendPadded(seconds / 3600, 2, text);
  *text += ':';
  AppendPadded(seconds / 60 % 60, 2, text);
  *text += ':';
  AppendPadded(seconds % 60, 2, text);
  AppendFraction(magnitude % units, fraction_digits, text);
}

}  // namespace

std::string FormatDate(int64_t days) {
  std::string text;
  AppendDate(days, &text);
  return text;
}

std::string FormatTime(int64_t value, int fraction_digits) {
  std::string text;
  AppendTime(value, fraction_digits, &text);
  return text;
}

std::string FormatTimestamp(int64_t value, int fraction_digits, bool with_zone) {
  constexpr size_t kUsualLength = 40;
  const int64_t per_day = kSecondsPerDay * UnitsPerSecond(fraction_digits);
  std::string text;
  text.reserve(kUsualLength);
  AppendDate(FloorDivide(value, per_day), &text);
  text += 'T';
  AppendTime(FloorRemainder(value, per_day), fraction_digits, &text);
  if (with_zone) text += "+00:00";
  return text;
}

}  // namespace nunatak
