#pragma once

#include <arrow/type_fwd.h>

#include <functional>
#include <memory>

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/io/file_io.h"
#include "nunatak/plan/file_scan_task.h"
#include "nunatak/read/read_request.h"

namespace nunatak {

/// Receives batches; returns false to stop.
using BatchSink = std::function<bool(std::shared_ptr<arrow::RecordBatch>)>;

/// Reads one task from beginning to end, its delete files included: the surviving rows of the part
/// of the data file that the task covers, up to the request's limit. Throws what `OpenTask` and
/// `TableReader` throw.
NUNATAK_EXPORT void ReadDataFile(std::shared_ptr<FileIO> io, const Context& context,
                                 const ReadRequest& request, const FileScanTask& task,
                                 const BatchSink& sink);

}  // namespace nunatak
