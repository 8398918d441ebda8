#pragma once

#include <cstdint>
#include <vector>

#include "nunatak/base/bytes.h"
#include "nunatak/base/export.h"

namespace nunatak {

/// Texts in the encoding DELTA_LENGTH_BYTE_ARRAY, `max_count` at most, in the plain one: each
/// behind its length of 4 bytes. Throws `ErrorCode::kInvalid` for lengths that do not fit the
/// bytes.
NUNATAK_EXPORT std::vector<uint8_t> PlainFromDeltaLengths(ByteSpan bytes, int64_t max_count);

/// The same of DELTA_BYTE_ARRAY, where each text begins as the one before does. Throws
/// `ErrorCode::kUnsupported` when they take more than a gigabyte.
NUNATAK_EXPORT std::vector<uint8_t> PlainFromDeltaTexts(ByteSpan bytes, int64_t max_count);

}  // namespace nunatak
