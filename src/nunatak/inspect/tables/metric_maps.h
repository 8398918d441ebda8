#pragma once

#include "nunatak/inspect/tables/file_column.h"
#include "nunatak/inspect/tables/file_records.h"
#include "nunatak/table/type.h"

namespace nunatak {

/// One of the metric maps of files, from field id to a count or a bound; null where a file has no
/// such map. The files outlive the column.
FileColumnPtr MakeMetricMapColumn(const Type& type, MetricMap map, const FileRecords& files);

}  // namespace nunatak
