#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "nunatak/base/context.h"
#include "nunatak/io/file_io.h"
#include "nunatak/read/decode/file_decoder.h"

namespace nunatak {

/// Opens an Avro file of `size` bytes with one request, or a few when its header is larger than 512
/// KiB. A small file comes whole with the first.
std::unique_ptr<FileDecoder> OpenAvro(FileIO& io, const Context& context,
                                      const std::string& location, int64_t size,
                                      const DecodeOptions& options);

}  // namespace nunatak
