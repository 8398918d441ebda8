#pragma once

#include <string>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/read/decode/file_field.h"
#include "nunatak/table/data_file.h"
#include "nunatak/table/schema.h"

namespace nunatak::hive {

/// The columns of a data file as fields of ours, all optional and without ids (0). Spark's readings
/// where a file leaves a choice: timestamps in 12 bytes are instants, and those of ORC count in
/// microseconds. Throws
/// `ErrorCode::kUnsupported` for a column of a type that is not read, by name.
NUNATAK_EXPORT std::vector<Field> FieldsOf(const std::vector<FileField>& columns,
                                           FileFormat format);

}  // namespace nunatak::hive
