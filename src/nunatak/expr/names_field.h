#pragma once

#include <cstdint>

#include "nunatak/base/export.h"
#include "nunatak/expr/expr.h"
#include "nunatak/table/schema.h"

namespace nunatak {

/// Whether a filter names a field of the schema, also in a term that binding folds away, such as
/// that a required column is not null.
NUNATAK_EXPORT bool NamesField(const Expr& filter, const Schema& schema, int32_t field_id,
                               bool case_sensitive = true);

}  // namespace nunatak
