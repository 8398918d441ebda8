#pragma once

#include "nunatak/base/export.h"
#include "nunatak/table/schema.h"

namespace nunatak {

/// A field that was pruned to some of the fields in it, with the default values of `whole` for
/// those that are left, at every depth: the default of a struct has one value per field, in their
/// order. Fields are matched by their ids.
NUNATAK_EXPORT Field WithPrunedDefaults(const Field& whole, Field pruned);

}  // namespace nunatak
