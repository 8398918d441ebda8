#pragma once

#include <memory>

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/io/file_io.h"
#include "nunatak/read/decode/file_decoder.h"
#include "nunatak/read/file_tails.h"
#include "nunatak/table/data_file.h"

namespace nunatak {

/// Opens a data or delete file of any format that is read, in as few requests as can be. When the
/// file turns out not to have the size that the table recorded, its real size is asked for. Throws
/// `ErrorCode::kInvalid` for a missing or malformed file, and `kUnsupported` for a format that is
/// not read; an error names the file. `tails`, if given, has the ends of files that others opened.
NUNATAK_EXPORT std::unique_ptr<FileDecoder> OpenDecoder(FileIO& io, const Context& context,
                                                        const DataFile& file,
                                                        const DecodeOptions& options,
                                                        FileTails* tails = nullptr);

}  // namespace nunatak
