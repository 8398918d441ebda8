#pragma once

#include <arrow/type_fwd.h>

#include <memory>

#include "nunatak/read/decode/row_selection.h"

namespace nunatak {

/// The selected rows of an array, which has `rows.total()` of them.
std::shared_ptr<arrow::Array> SelectRows(const std::shared_ptr<arrow::Array>& array,
                                         const RowSelection& rows);

}  // namespace nunatak
