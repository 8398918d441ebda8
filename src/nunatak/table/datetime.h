#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "nunatak/base/export.h"

namespace nunatak {

/// Calendar arithmetic in the proleptic Gregorian calendar, UTC, no leap seconds. Days are since
/// 1970-01-01; any int64 count of micro- or nanoseconds is a valid instant.

struct CivilDate {
  int64_t year;
  int month;  ///< 1 to 12
  int day;    ///< 1 to 31
};

NUNATAK_EXPORT int64_t DaysFromCivil(CivilDate date);
NUNATAK_EXPORT CivilDate CivilFromDays(int64_t days);

/// Rounds toward negative infinity, unlike `/`; `b` is positive.
constexpr int64_t FloorDivide(int64_t a, int64_t b) { return a / b - (a % b < 0); }

/// Each returns nullopt when the text is not of the form or not a date that exists.
/// "2024-02-29"; years of more digits need a sign ("+12024-01-01", "-0044-03-15").
NUNATAK_EXPORT std::optional<int32_t> ParseDate(std::string_view text);
/// "12:00", "12:00:31", "12:00:31.5": microseconds from midnight, at most 6 fraction digits kept
/// exactly.
NUNATAK_EXPORT std::optional<int64_t> ParseTime(std::string_view text);

struct ParsedTimestamp {
  int64_t value;  ///< Micro- or nanoseconds since the epoch; with a zone, in UTC.
  bool has_zone;  ///< "Z" or "+hh:mm" was given.
};
/// A date, or date and time joined by 'T' or a blank, with an optional zone ("Z", "+02:00",
/// "+0200"). `fraction_digits` is 6 (microseconds) or 9; more digits than that, unless zero, are
/// not accepted.
NUNATAK_EXPORT std::optional<ParsedTimestamp> ParseTimestamp(std::string_view text,
                                                             int fraction_digits);

/// "1969-12-31"
NUNATAK_EXPORT std::string FormatDate(int64_t days);
/// "12:00:31", with 0, 3, 6 or 9 fraction digits, as few as keep the value; `fraction_digits` says
/// the unit of `value` (6: µs, 9: ns).
NUNATAK_EXPORT std::string FormatTime(int64_t value, int fraction_digits = 6);
/// "2024-03-01T00:00:00.5" → fraction digits as in FormatTime; `with_zone` appends "+00:00".
NUNATAK_EXPORT std::string FormatTimestamp(int64_t value, int fraction_digits, bool with_zone);

}  // namespace nunatak
