#pragma once

#include "nunatak/cli/scan_options.h"
#include "nunatak/read/read_request.h"

namespace nunatak::cli {

/// How the rows of an opened table are read: all columns, by the table's name mapping.
ReadRequest RequestFor(const OpenedScan& scan);

}  // namespace nunatak::cli
