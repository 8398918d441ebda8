#pragma once

#include "nunatak/iceberg/table_metadata.h"

namespace nunatak::iceberg {

/// Throws `ErrorCode::kInvalid` unless the guarantees that `TableMetadata` states hold.
void ValidateTableMetadata(const TableMetadata& metadata);

}  // namespace nunatak::iceberg
