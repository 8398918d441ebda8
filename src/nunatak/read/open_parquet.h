#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/io/file_io.h"
#include "nunatak/read/decode/parquet_file.h"
#include "nunatak/read/decode/section_decoder.h"
#include "nunatak/read/file_tails.h"

namespace nunatak {

struct OpenedParquet {
  std::unique_ptr<ParquetFile> file;
  FileTail tail;
};

/// Opens a Parquet file of `size` bytes with one request, or two when its footer is larger than
/// `kFooterPrefetch`; with none when `tails`, if given, has the footer.
NUNATAK_EXPORT OpenedParquet OpenParquet(FileIO& io, const Context& context,
                                         const std::string& location, int64_t size,
                                         const DecodeOptions& options, FileTails* tails = nullptr);

}  // namespace nunatak
