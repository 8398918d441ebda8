#include "nunatak/read/decode/pages/bit_unpack.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace nunatak {

namespace {

/// Eight numbers fill whole bytes. A load takes eight bytes, wherever a number begins.
constexpr size_t kGroup = 8;
constexpr size_t kLoad = 8;

template <int kWidth>
void UnpackGroups(const uint8_t* packed, size_t groups, uint32_t* out) {
  constexpr uint64_t kMask = (uint64_t{1} << kWidth) - 1;
  for (size_t g = 0; g < groups; ++g, packed += kWidth, out += kGroup) {
    [&]<size_t... kIndex>(std::index_sequence<kIndex...>) {
      ((out[kIndex] = static_cast<uint32_t>(
            (LoadLittleEndian<uint64_t>(packed + kIndex * kWidth / 8) >> (kIndex * kWidth % 8)) &
            kMask)),
       ...);
    }(std::make_index_sequence<kGroup>());
  }
}

using Unpack = void (*)(const uint8_t*, size_t, uint32_t*);

template <size_t... kWidth>
constexpr std::array<Unpack, sizeof...(kWidth)> UnpackersOf(std::index_sequence<kWidth...>) {
  return {UnpackGroups<kWidth>...};
}

constexpr std::array<Unpack, 33> kUnpackers = UnpackersOf(std::make_index_sequence<33>());

uint32_t UnpackOne(ByteSpan packed, size_t width, size_t index) {
  const size_t bit = index * width;
  const size_t byte = bit / 8;
  uint64_t word = 0;
  std::memcpy(&word, packed.data() + byte, std::min(kLoad, packed.size() - byte));
  return static_cast<uint32_t>((word >> (bit % 8)) & ((uint64_t{1} << width) - 1));
}

}  // namespace

void UnpackBits(ByteSpan packed, int width, size_t first, std::span<uint32_t> out) {
  const auto bits = static_cast<size_t>(width);
  if (bits == 0) return std::fill(out.begin(), out.end(), 0);
  size_t i = 0;
  for (; i < out.size() && (first + i) % kGroup != 0; ++i) {
    out[i] = UnpackOne(packed, bits, first + i);
  }
  // The last loads of a group may reach beyond it.
  const size_t start = (first + i) / kGroup * bits;
  const size_t loadable =
      packed.size() > start + kLoad ? (packed.size() - start - kLoad) / bits : 0;
  const size_t groups = std::min((out.size() - i) / kGroup, loadable);
  kUnpackers[bits](packed.data() + start, groups, out.data() + i);
  for (i += groups * kGroup; i < out.size(); ++i) out[i] = UnpackOne(packed, bits, first + i);
}

}  // namespace nunatak
