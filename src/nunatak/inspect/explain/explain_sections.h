#pragma once

#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/inspect/explain/scan_explanation.h"
#include "nunatak/io/file_io.h"
#include "nunatak/read/next_task.h"
#include "nunatak/read/read_request.h"

namespace nunatak {

/// Opens the data files of the tasks, and says what a scan passes over in them, as two layers:
/// "row-groups" (and stripes) by their statistics, where bytes are not known and Avro files have
/// none; and "pages", those of the filter's columns in the row groups that are left, by the page
/// index, as far as files have one. `filter` is bound to the request's schema. Throws what opening
/// a data file throws.
NUNATAK_EXPORT std::vector<ScanLayer> ExplainSections(FileIO& io, const Context& context,
                                                      const ReadRequest& request,
                                                      const BoundFilter& filter,
                                                      const NextTask& next_task);

}  // namespace nunatak
