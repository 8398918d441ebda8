#pragma once

#include <string>

#include "nunatak/base/bytes.h"
#include "nunatak/base/export.h"

namespace nunatak::iceberg {

/// Whether the bytes begin like a gzip file (1f 8b).
NUNATAK_EXPORT bool IsGzip(ByteSpan bytes);

/// How many times its size a gzip file may inflate to. Table metadata compresses 10 to 30 times.
inline constexpr size_t kMaxGzipRatio = 256;

/// Inflates a gzip file of one or several members, whose checksums are verified. Throws
/// `ErrorCode::kInvalid` when it is damaged or inflates beyond `kMaxGzipRatio` times its size.
NUNATAK_EXPORT std::string InflateGzip(ByteSpan bytes);

}  // namespace nunatak::iceberg
