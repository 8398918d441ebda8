#pragma once

#include "nunatak/base/export.h"
#include "nunatak/inspect/explain/scan_explanation.h"
#include "nunatak/io/file_io.h"
#include "nunatak/read/next_task.h"
#include "nunatak/read/read_request.h"

namespace nunatak {

/// Opens the data files of the tasks, and says which of their row groups and stripes a scan passes
/// over by their statistics: the layer "row-groups" (bytes are not known; Avro files have none).
/// `filter` is bound to the request's schema. Throws what opening a data file throws.
NUNATAK_EXPORT ScanLayer ExplainSections(FileIO& io, const Context& context,
                                         const ReadRequest& request, const BoundFilter& filter,
                                         const NextTask& next_task);

}  // namespace nunatak
