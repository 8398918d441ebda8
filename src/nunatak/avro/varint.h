#pragma once

#include <bit>
#include <cstdint>

#include "nunatak/base/bytes.h"

namespace nunatak::avro {

/// An int or a long takes at most this many bytes.
inline constexpr int kMaxVarintBytes = 10;

/// Undoes the zig-zag coding, which puts the sign into the lowest bit.
inline int64_t ZigZag(uint64_t value) {
  return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
}

/// Reads a long (Avro specification, "Binary Encoding") and moves `at` behind it. False, with `at`
/// unchanged, when it does not end before `end` or does not fit 64 bits.
inline bool ReadLong(const uint8_t*& at, const uint8_t* end, int64_t& value) {
  const uint8_t* p = at;
  uint64_t bits = 0;
  for (int shift = 0; shift < 7 * kMaxVarintBytes && p != end; shift += 7) {
    const uint8_t byte = *p++;
    bits |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) {
      if (shift == 63 && byte > 1) return false;
      value = ZigZag(bits);
      at = p;
      return true;
    }
  }
  return false;
}

/// Passes over `count` longs, eight bytes at a time where it can: a long ends at each byte below
/// 128. False for what `ReadLong` refuses, with `at` at the offending long.
inline bool SkipLongs(const uint8_t*& at, const uint8_t* end, int64_t count) {
  constexpr uint64_t kHighBits = 0x8080808080808080U;
  int open = 0;  // How many bytes before `at` belong to a long that has not ended.
  while (count > 0) {
    const uint64_t ends = end - at >= 8 ? ~LoadLittleEndian<uint64_t>(at) & kHighBits : uint64_t{0};
    if (ends == 0 || open + std::countr_zero(ends) / 8 >= kMaxVarintBytes - 1) {
      // The end of the data, or a long of so many bytes that it may not fit.
      at -= open;
      open = 0;
      int64_t value = 0;
      if (!ReadLong(at, end, value)) return false;
      --count;
      continue;
    }
    const auto found = static_cast<int64_t>(((ends >> 7) * 0x0101010101010101U) >> 56);
    if (found >= count) {
      uint64_t last = ends;
      for (; count > 1; --count) last &= last - 1;
      at += std::countr_zero(last) / 8 + 1;
      return true;
    }
    count -= found;
    open = std::countl_zero(ends) / 8;
    at += 8;
  }
  return true;
}

}  // namespace nunatak::avro
