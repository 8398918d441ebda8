#pragma once

#include <arrow/type_fwd.h>

#include <memory>

#include "nunatak/base/export.h"
#include "nunatak/read/variant/variant_layout.h"

namespace nunatak {

/// The Arrow type of variant columns: the canonical extension `arrow.parquet.variant` over a struct
/// of the binary fields `metadata` and `value`, not shredded.
NUNATAK_EXPORT std::shared_ptr<arrow::DataType> VariantArrowType();

/// A variant column, shredded or not, as an array of `VariantArrowType()`. `data` is the struct
/// that the file's group of this layout decodes as. Every value is checked (`ValidateVariant`), and
/// shredded parts are put back where they belong. Throws `ErrorCode::kInvalid` for malformed bytes,
/// and for rows that are stored in contradictory ways; the message names the row of the batch.
NUNATAK_EXPORT std::shared_ptr<arrow::ArrayData> AssembleVariants(
    const VariantLayout& layout, const std::shared_ptr<arrow::ArrayData>& data);

}  // namespace nunatak
