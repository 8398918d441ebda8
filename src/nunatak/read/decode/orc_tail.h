#pragma once

#include <cstdint>

#include "nunatak/base/bytes.h"
#include "nunatak/base/export.h"

namespace nunatak {

/// How many bytes at the end of an ORC file make up its footer and postscript (ORC specification,
/// "File Tail"); `tail` holds at least its last 256 bytes (or all, of a shorter file). Throws
/// `ErrorCode::kInvalid` when the file is not ORC; callers add the file's name.
NUNATAK_EXPORT int64_t OrcTailSize(int64_t file_size, ByteSpan tail);

}  // namespace nunatak
