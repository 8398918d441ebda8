#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>
#include <memory>

#include "nunatak/read/project/column_plan.h"

namespace nunatak {

/// One column of the projection from a decoded batch of the file, as an array of `plan.type`.
/// Everything is done by column: buffers are shared where the types agree. `first_row` is the
/// position of the batch in the file. Not for columns that mark what is deleted.
std::shared_ptr<arrow::Array> ProjectColumn(const ColumnPlan& plan,
                                            const arrow::RecordBatch& decoded, int64_t first_row);

}  // namespace nunatak
