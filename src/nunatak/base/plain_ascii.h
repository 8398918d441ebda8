#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace nunatak {

/// Whether a text is printable ASCII (blank to tilde) without any of the `Excluded` characters:
/// most text is, and then there is nothing to escape, to replace or to measure.
template <char... Excluded>
bool IsPlainAscii(std::string_view text) {
  constexpr uint64_t kOnes = 0x0101010101010101;
  constexpr uint64_t kHighBits = kOnes * 0x80;
  // The high bit of a byte is set where the byte, below 0x80, is less than `limit`; bytes above
  // such a one may be set too.
  const auto below = [](uint64_t word, uint64_t limit) { return (word - kOnes * limit) & ~word; };
  const auto odd = [&](uint64_t word) {
    uint64_t found = word | below(word, 0x20) | below(word ^ (kOnes * 0x7F), 1);
    ((found |= below(word ^ (kOnes * static_cast<uint8_t>(Excluded)), 1)), ...);
    return (found & kHighBits) != 0;
  };
  uint64_t word = 0;
  for (; text.size() >= sizeof(word); text.remove_prefix(sizeof(word))) {
    std::memcpy(&word, text.data(), sizeof(word));
    if (odd(word)) return false;
  }
  word = kOnes * ' ';
  if (!text.empty()) std::memcpy(&word, text.data(), text.size());
  return !odd(word);
}

}  // namespace nunatak
