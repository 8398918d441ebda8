#pragma once

#include <cstdint>
#include <string>

#include "nunatak/base/context.h"
#include "nunatak/io/file_io.h"
#include "nunatak/read/decode/section_decoder.h"
#include "nunatak/read/file_tails.h"

namespace nunatak {

/// Bytes fetched from the end of a file to get its footer in one request.
inline constexpr int64_t kFooterPrefetch = 512 << 10;

/// How many bytes at the end of a file of that size are needed, from the last ones of them.
using TailSize = int64_t (*)(int64_t file_size, ByteSpan tail);

/// Fetches the end of a file of `size` bytes in one request, or in two when `tail_size` wants more
/// than `prefetch`; in none when `tails`, if given, has it. An error names the file.
FileTail FetchTail(FileIO& io, const Context& context, const std::string& location, int64_t size,
                   TailSize tail_size, FileTails* tails = nullptr,
                   int64_t prefetch = kFooterPrefetch);

}  // namespace nunatak
