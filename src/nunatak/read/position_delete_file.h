#pragma once

#include <optional>

#include "nunatak/base/context.h"
#include "nunatak/iceberg/position_set.h"
#include "nunatak/io/file_io.h"
#include "nunatak/read/data_file_stream.h"
#include "nunatak/read/read_request.h"
#include "nunatak/read/scan_options.h"
#include "nunatak/table/data_file.h"
#include "nunatak/table/type.h"

namespace nunatak {

/// How a position delete file is read: as any other file, with the columns `file_path`, `pos` and,
/// when a type is given, `row` (specification, "Position Delete Files"); a file without field ids
/// is known by its columns' names.
ReadRequest PositionDeleteRequest(const ScanOptions& options,
                                  const std::optional<Type>& row = std::nullopt);

/// The rows of a position delete file. What is passed by reference must outlive the stream.
DataFileStream OpenPositionDeletes(FileIO& io, const Context& context, const ReadRequest& request,
                                   const DataFile& file);

/// Reads a deletion vector, and checks that it has as many positions as its entry says. An error
/// names the file and the offset.
iceberg::PositionSet ReadDeletionVector(FileIO& io, const Context& context, const DataFile& file);

}  // namespace nunatak
