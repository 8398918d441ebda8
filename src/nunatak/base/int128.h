#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "nunatak/base/bytes.h"
#include "nunatak/base/export.h"

namespace nunatak {

/// The unscaled value of a decimal; holds every decimal of precision 38.
__extension__ using Int128 = __int128;

/// 10 to the power `exponent`, 0 ≤ exponent ≤ 38.
NUNATAK_EXPORT Int128 PowerOfTen(int exponent);

/// Two's-complement big-endian bytes of the smallest length that holds `value` (at least one), the
/// form of decimals in bounds and in the bucket hash (specification, Appendix B and D).
NUNATAK_EXPORT std::string ToMinimalBigEndian(Int128 value);

/// Reads two's-complement big-endian bytes of any length; nullopt when empty or when the value does
/// not fit.
NUNATAK_EXPORT std::optional<Int128> FromBigEndian(ByteSpan bytes);

/// Decimal text with exactly `scale` fraction digits, such as "-14.20".
NUNATAK_EXPORT std::string DecimalToString(Int128 unscaled, int scale);

/// Parses decimal text (sign, digits, point, optional exponent) as an unscaled value at `scale`;
/// nullopt when it is not a number, has more fraction digits than `scale` that are not zero, or
/// overflows.
NUNATAK_EXPORT std::optional<Int128> ParseDecimal(std::string_view text, int scale);

}  // namespace nunatak
