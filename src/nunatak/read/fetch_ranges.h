#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/io/file_io.h"

namespace nunatak {

/// Fetches ranges of one file that a table refers to. A file that does not exist is
/// `ErrorCode::kInvalid`: it is the table that is wrong, not what the caller named.
NUNATAK_EXPORT std::vector<Buffer> FetchRanges(FileIO& io, const Context& context,
                                               const std::string& location,
                                               std::span<const ByteRange> ranges);

/// One range.
NUNATAK_EXPORT Buffer FetchRange(FileIO& io, const Context& context, const std::string& location,
                                 const ByteRange& range);

/// The size of a file that a table refers to, asked of the storage; errors as above.
NUNATAK_EXPORT int64_t SizeOf(FileIO& io, const std::string& location);

}  // namespace nunatak
