#pragma once

#include "nunatak/inspect/tables/file_column.h"
#include "nunatak/table/type.h"

namespace nunatak {

/// One of the metric maps of files, from field id to a count or a bound; null where a file has no
/// such map.
FileColumnPtr MakeMetricMapColumn(const Type& type, MetricMap map);

}  // namespace nunatak
