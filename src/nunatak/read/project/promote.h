#pragma once

#include <arrow/type_fwd.h>

#include <memory>

#include "nunatak/table/type.h"

namespace nunatak {

/// Whether a leaf column that decodes as `from` can be read as the Iceberg type: the type itself,
/// in any of the physical forms that writers use, or a type that promotes to it (specification,
/// "Schema Evolution"): int to long, float to double, wider decimals, and date to timestamp.
bool CanReadAs(const arrow::DataType& from, const Type& to);

/// Converts a leaf column to `arrow_type`, which is `ArrowTypeOf(to)`; `CanReadAs` holds. Values
/// that the type cannot hold exactly are errors (`ErrorCode::kInvalid`).
std::shared_ptr<arrow::ArrayData> ReadAs(const std::shared_ptr<arrow::ArrayData>& data,
                                         const std::shared_ptr<arrow::DataType>& arrow_type);

}  // namespace nunatak
