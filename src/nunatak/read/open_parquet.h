#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "nunatak/base/context.h"
#include "nunatak/io/file_io.h"
#include "nunatak/read/decode/parquet_file.h"

namespace nunatak {

/// A Parquet file with its last bytes, which may hold column chunks too, or all of a small file.
struct OpenedParquet {
  ParquetFile file;
  int64_t tail_offset = 0;
  Buffer tail;
};

/// Opens a Parquet file with one request, or two when its footer is larger than `kFooterPrefetch`.
/// When the file turns out not to have the size that the table recorded, its real size is asked
/// for. A file that does not exist is `ErrorCode::kInvalid`: the table refers to it.
OpenedParquet OpenParquet(FileIO& io, const Context& context, const std::string& location,
                          int64_t recorded_size, const ParquetFile::Options& options);

/// Fetches ranges of one file that a table refers to.
std::vector<Buffer> FetchRanges(FileIO& io, const Context& context, const std::string& location,
                                std::span<const ByteRange> ranges);

}  // namespace nunatak
