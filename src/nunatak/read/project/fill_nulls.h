#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>
#include <memory>

#include "nunatak/read/project/column_plan.h"

namespace nunatak {

/// A column of longs without nulls: in their place stands what `fill` says; `first_row` is the
/// position in the file of the first row.
std::shared_ptr<arrow::Array> FillNulls(const std::shared_ptr<arrow::Array>& column,
                                        const NullFill& fill, int64_t first_row);

}  // namespace nunatak
