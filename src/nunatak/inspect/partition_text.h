#pragma once

#include <string>

#include "nunatak/base/export.h"
#include "nunatak/table/transform.h"
#include "nunatak/table/type.h"
#include "nunatak/table/value.h"

namespace nunatak {

/// A partition value as people read it: "2021" for a year, "2021-05" for a month, "2021-05-01-10"
/// for an hour, base64 for bytes, else the value's own text. `type` is the result type of the
/// transform.
NUNATAK_EXPORT std::string PartitionText(const Transform& transform, const Type& type,
                                         const ValueView& value);

}  // namespace nunatak
