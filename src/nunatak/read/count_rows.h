#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/io/file_io.h"
#include "nunatak/plan/file_scan_task.h"
#include "nunatak/read/next_task.h"
#include "nunatak/read/read_request.h"

namespace nunatak {

/// The exact number of rows that reading the tasks would give. Files whose residual is true and
/// that have no equality deletes are not opened: their record counts are taken, less the positions
/// that deletes remove. Throws what `TableReader` throws; the projection and the limit of the
/// request do not matter.
NUNATAK_EXPORT int64_t CountRows(std::shared_ptr<FileIO> io, const Context& context,
                                 const ReadRequest& request, std::span<const FileScanTask> tasks);
/// The same for tasks as they come, of which no more than some hundreds are held at a time.
NUNATAK_EXPORT int64_t CountRows(std::shared_ptr<FileIO> io, const Context& context,
                                 const ReadRequest& request, const NextTask& next_task);

}  // namespace nunatak
