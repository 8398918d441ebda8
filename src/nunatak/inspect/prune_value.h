#pragma once

#include "nunatak/table/type.h"
#include "nunatak/table/value.h"

namespace nunatak {

/// The parts of a value of type `type` that `pruned` keeps: the same type with fewer struct fields,
/// at any depth.
Value PruneValue(const Type& type, const Type& pruned, const Value& value);

}  // namespace nunatak
