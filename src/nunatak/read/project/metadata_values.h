#pragma once

#include <cstdint>
#include <optional>

#include "nunatak/plan/file_scan_task.h"
#include "nunatak/read/project/column_plan.h"
#include "nunatak/table/schema.h"
#include "nunatak/table/value.h"

namespace nunatak {

/// The value of a metadata column that all rows of a file share; null for the other ones.
Value MetadataConstant(const Field& field, const FileScanTask& task);

/// What stands in a metadata column where the file itself has no value; nullopt for null.
std::optional<NullFill> MetadataFill(int32_t field_id, const FileScanTask& task);

}  // namespace nunatak
