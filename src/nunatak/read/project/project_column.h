#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>
#include <memory>

#include "nunatak/read/decode/row_selection.h"
#include "nunatak/read/project/column_plan.h"

namespace nunatak {

/// One column of the projection as an array of `plan.type`: from `decoded`, which has the field of
/// the file when it has one, over the rows that are selected among those from `first_row` of the
/// file on. Everything is done by column: buffers are shared where the types agree. Not for columns
/// that mark what is deleted.
std::shared_ptr<arrow::Array> ProjectColumn(const ColumnPlan& plan,
                                            const std::shared_ptr<arrow::Array>& decoded,
                                            const RowSelection& rows, int64_t first_row);

}  // namespace nunatak
