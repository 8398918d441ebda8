#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "nunatak/table/datetime.h"

namespace nunatak {

template <typename T>
nlohmann::ordered_json OrNull(const std::optional<T>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

/// An instant in milliseconds since the epoch as ISO text in UTC; one that is beyond the range of
/// microseconds stays a number.
inline nlohmann::ordered_json TimeJson(int64_t milliseconds) {
  int64_t micros = 0;
  if (__builtin_mul_overflow(milliseconds, int64_t{1000}, &micros)) return milliseconds;
  return FormatTimestamp(micros, 6, /*with_zone=*/true);
}

}  // namespace nunatak
