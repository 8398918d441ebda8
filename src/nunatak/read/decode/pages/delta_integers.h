#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "nunatak/base/bytes.h"
#include "nunatak/base/export.h"

namespace nunatak {

/// Integers in the encoding DELTA_BINARY_PACKED, `max_count` of them at most, and how many bytes
/// they take. Sums wrap around. Throws `ErrorCode::kInvalid` for malformed blocks and for more
/// integers.
struct DeltaIntegers {
  std::vector<int64_t> values;
  size_t bytes_read = 0;
};
NUNATAK_EXPORT DeltaIntegers ReadDeltaIntegers(ByteSpan bytes, int64_t max_count);

/// The same as plain integers of `width` bytes, 4 or 8.
NUNATAK_EXPORT std::vector<uint8_t> PlainFromDeltas(ByteSpan bytes, size_t width,
                                                    int64_t max_count);

}  // namespace nunatak
