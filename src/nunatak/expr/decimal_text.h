#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "nunatak/base/int128.h"

namespace nunatak {

/// A number as it was written, exactly: ±digits · 10^exponent, without leading or trailing zeros in
/// `digits`, which is empty for zero.
struct DecimalText {
  bool negative = false;
  std::string digits;
  int64_t exponent = 0;

  /// Sign, digits, point, exponent ("-1.5e3"); nullopt when the text is something else.
  static std::optional<DecimalText> Parse(std::string_view text);

  /// The greatest multiple of 10^-scale that is not above the number, in units of 10^-scale.
  struct Floored {
    Int128 value = 0;
    /// Whether `value` is the number itself.
    bool exact = true;
    /// −1 or 1: the number needs more than 38 digits and lies below or above all that don't;
    /// `value` says nothing.
    int beyond = 0;
  };
  Floored FloorAtScale(int scale) const;

  /// The nearest double; a finite number beyond the range gives an infinity.
  double Nearest() const;
};

}  // namespace nunatak
