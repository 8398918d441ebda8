#pragma once

#include <string>

#include "nunatak/iceberg/table_metadata.h"
#include "nunatak/inspect/verify/verify_report.h"

namespace nunatak {

/// Checks what a metadata file says for itself, beyond what its parser guarantees; `report` is of
/// the file.
void CheckMetadata(const iceberg::TableMetadata& metadata, FileReport* report);

}  // namespace nunatak
