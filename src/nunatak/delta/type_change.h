#pragma once

#include "nunatak/base/export.h"
#include "nunatak/base/json.h"
#include "nunatak/table/type.h"

namespace nunatak::delta {

/// Whether values of files that were written with `from` can be read as `to` (specification, "Type
/// Widening").
NUNATAK_EXPORT bool IsWidening(const Type& from, const Type& to);

/// Checks an entry of a column's `delta.typeChanges`. Throws `ErrorCode::kUnsupported` for a change
/// that is none of the specification's, naming both types.
NUNATAK_EXPORT void RequireKnownTypeChange(Json change);

}  // namespace nunatak::delta
