#include "nunatak/base/hash.h"

#include <libdeflate.h>

#include <algorithm>

namespace nunatak {

namespace {

uint32_t MixBlock(uint32_t k) {
  k *= 0xcc9e2d51U;
  k = std::rotl(k, 15);
  return k * 0x1b873593U;
}

}  // namespace

int32_t Murmur3(ByteSpan bytes) {
  uint32_t h = 0;
  size_t i = 0;
  for (; i + 4 <= bytes.size(); i += 4) {
    h ^= MixBlock(LoadLittleEndian<uint32_t>(bytes.data() + i));
    h = std::rotl(h, 13) * 5 + 0xe6546b64U;
  }
  uint32_t tail = 0;
  for (size_t j = bytes.size(); j > i; --j) tail = (tail << 8) | bytes[j - 1];
  if (i < bytes.size()) h ^= MixBlock(tail);
  h ^= static_cast<uint32_t>(bytes.size());
  h ^= h >> 16;
  h *= 0x85ebca6bU;
  h ^= h >> 13;
  h *= 0xc2b2ae35U;
  h ^= h >> 16;
  return static_cast<int32_t>(h);
}

uint32_t Crc32(ByteSpan bytes) { return libdeflate_crc32(0, bytes.data(), bytes.size()); }

uint64_t HashBytes(ByteSpan bytes) {
  uint64_t hash = bytes.size();
  const uint8_t* at = bytes.data();
  size_t left = bytes.size();
  for (; left >= 16; at += 16, left -= 16) {
    hash = MixHash(hash ^ LoadLittleEndian<uint64_t>(at), LoadLittleEndian<uint64_t>(at + 8));
  }
  uint64_t last[2] = {0, 0};
  std::copy_n(at, left, reinterpret_cast<uint8_t*>(last));
  return MixHash(hash ^ last[0], last[1]);
}

}  // namespace nunatak
