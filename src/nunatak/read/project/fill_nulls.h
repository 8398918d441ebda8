#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>
#include <memory>

#include "nunatak/read/decode/row_selection.h"
#include "nunatak/read/project/column_plan.h"

namespace nunatak {

/// A column of longs without nulls: in their place stands what `fill` says. The column has the rows
/// that are selected among those from `first_row` of the file on.
std::shared_ptr<arrow::Array> FillNulls(const std::shared_ptr<arrow::Array>& column,
                                        const NullFill& fill, const RowSelection& rows,
                                        int64_t first_row);

}  // namespace nunatak
