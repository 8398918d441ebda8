#pragma once

#include <nlohmann/json_fwd.hpp>

#include "nunatak/base/export.h"
#include "nunatak/base/json.h"
#include "nunatak/plan/task_definitions.h"
#include "nunatak/table/data_file.h"

namespace nunatak {

/// A data or delete file as the REST specification's ContentFile (docs/plan-json.md): every field,
/// bounds and key metadata as upper-case hexadecimal digits, the partition as an array of JSON
/// single values in the order of the spec's fields.
NUNATAK_EXPORT nlohmann::ordered_json ContentFileToJson(const DataFile& file,
                                                        const TaskDefinitions& definitions);

/// Reads it back. Unknown fields are ignored; throws `ErrorCode::kInvalid` with the path inside the
/// JSON when a field is missing or malformed, or the partition does not fit its spec.
NUNATAK_EXPORT DataFile ContentFileFromJson(Json json, const TaskDefinitions& definitions);

}  // namespace nunatak
