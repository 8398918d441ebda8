#pragma once

#include <cstdint>

#include "nunatak/base/bytes.h"
#include "nunatak/base/export.h"

namespace nunatak {

/// Murmur3, 32-bit x86 variant, seed 0: the hash of the bucket transform (specification, Appendix
/// B).
NUNATAK_EXPORT int32_t Murmur3(ByteSpan bytes);

/// CRC-32 (the polynomial of zlib), of deletion vectors and of Avro's snappy blocks.
NUNATAK_EXPORT uint32_t Crc32(ByteSpan bytes);

}  // namespace nunatak
