#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "nunatak/base/export.h"
#include "nunatak/table/schema.h"

namespace nunatak {

/// The schema of the columns that a scan returns: {"a", "b.c"} gives column a whole and column b
/// with its field c alone. Columns come in the order in which they are first named, nested fields
/// in the schema's. A map's key is always whole, and naming a map's key selects the whole map. "*"
/// stands for all columns but the metadata columns, unless one has that name. Throws
/// `ErrorCode::kUsage` for a name that the schema does not have (or, without case, that fits two
/// fields).
NUNATAK_EXPORT Schema SelectFields(const Schema& schema, std::span<const std::string> names,
                                   bool case_sensitive = true);

/// The top-level field on the path to field `id`, pruned to that path alone.
NUNATAK_EXPORT Field PruneToField(const Schema& schema, int32_t id);

}  // namespace nunatak
