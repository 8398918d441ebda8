#pragma once

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/inspect/health/health.h"
#include "nunatak/open/open_table.h"

namespace nunatak {

/// Measures a table of any format: an Iceberg table as `MeasureHealth` does, of others the live
/// files, their partitions, deletes and columns.
NUNATAK_EXPORT HealthReport MeasureHealth(const OpenedTable& opened, const Context& context,
                                          const HealthOptions& options);

}  // namespace nunatak
