#pragma once

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/inspect/verify/verify.h"
#include "nunatak/open/open_table.h"

namespace nunatak {

/// Checks a table of any format: an Iceberg table as `Verify` does, of others what does not depend
/// on the format. Each live file exists and has the size that the table knows; with `deep`, its
/// rows are read, and held against its record count and metrics. Opening the table has checked what
/// it says of itself. Throws what reading the list of files throws.
NUNATAK_EXPORT void Verify(const OpenedTable& opened, const Context& context,
                           const VerifyOptions& options, const FindingSink& sink,
                           VerifyCounters* counters);

}  // namespace nunatak
