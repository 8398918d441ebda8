#pragma once

#include <functional>
#include <span>
#include <vector>

#include "nunatak/read/changed_rows.h"
#include "nunatak/read/row_key.h"

namespace nunatak {

/// Calls `visit` with the rows of each key, in the order in which they stand in `rows`.
void ForEachGroup(const std::vector<ChangedRows>& rows, const RowKey& key,
                  const std::function<void(std::span<const RowRef>)>& visit);

}  // namespace nunatak
