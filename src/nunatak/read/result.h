#pragma once

#include <arrow/type_fwd.h>

#include <memory>

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/io/file_io.h"
#include "nunatak/plan/file_scan_task.h"
#include "nunatak/read/read_request.h"
#include "nunatak/read/table_reader.h"
#include "nunatak/table/schema.h"

namespace nunatak {

/// Whole results: as large in memory as they have rows. What they hold is `arrow::Table`, whose
/// chunks are the batches; `arrow::ConcatenateTables` joins several of one projection.

/// The rest of a scan. Throws what `TableReader::Next` throws.
NUNATAK_EXPORT std::shared_ptr<arrow::Table> ReadTable(TableReader reader);

/// `ReadDataFile` with its batches as one result. A task may be made by hand, to read a file that
/// no table has: all it must have is `data_file`, with a path and a format; a size of 0 stands for
/// the file's real one, a length of 0 for the whole file.
NUNATAK_EXPORT std::shared_ptr<arrow::Table> ReadDataFileTable(std::shared_ptr<FileIO> io,
                                                               const Context& context,
                                                               const ReadRequest& request,
                                                               const FileScanTask& task);

/// A result of no rows with the columns of a projection.
NUNATAK_EXPORT std::shared_ptr<arrow::Table> EmptyTable(const Schema& projection);

}  // namespace nunatak
