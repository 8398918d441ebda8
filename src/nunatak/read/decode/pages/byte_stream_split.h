#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "nunatak/base/bytes.h"
#include "nunatak/base/export.h"

namespace nunatak {

/// The plain encoding of values of `width` bytes in the encoding BYTE_STREAM_SPLIT: the first bytes
/// of all values, then the second … Throws `ErrorCode::kInvalid` when the streams are not of one
/// length.
NUNATAK_EXPORT std::vector<uint8_t> PlainFromStreams(ByteSpan bytes, size_t width);

}  // namespace nunatak
