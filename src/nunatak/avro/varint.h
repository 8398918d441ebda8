#pragma once

#include <cstdint>

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

}  // namespace nunatak::avro
