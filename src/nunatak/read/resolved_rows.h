#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "nunatak/read/changed_rows.h"
#include "nunatak/read/row_partitions.h"

namespace nunatak {

/// Of the rows of a partition, those that come out, in the order in which they do; may change
/// marks.
using Resolve = std::function<std::vector<RowRef>(std::vector<ChangedRows>*)>;

/// What is left of rows after those of equal keys have met.
std::unique_ptr<ChangedRowsStream> ResolveRows(std::unique_ptr<RowPartitions> rows,
                                               Resolve resolve);

}  // namespace nunatak
