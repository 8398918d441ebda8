#pragma once

#include <cstdint>

#include "nunatak/base/bytes.h"
#include "nunatak/base/export.h"

namespace nunatak {

/// Murmur3, 32-bit x86 variant, seed 0: the hash of the bucket transform (specification, Appendix
/// B).
NUNATAK_EXPORT int32_t Murmur3(ByteSpan bytes);

/// A mixed 64-bit hash of two numbers, for tables in memory: not stable across versions.
inline uint64_t MixHash(uint64_t a, uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a ^ 0x9e3779b97f4a7c15U) * (b ^ 0xe7037ed1a0b428dbU);
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

/// A fast 64-bit hash for tables in memory: not stable across versions, and no defence against
/// bytes that were chosen to collide.
NUNATAK_EXPORT uint64_t HashBytes(ByteSpan bytes);

/// CRC-32 (the polynomial of zlib), of deletion vectors and of Avro's snappy blocks.
NUNATAK_EXPORT uint32_t Crc32(ByteSpan bytes);

}  // namespace nunatak
