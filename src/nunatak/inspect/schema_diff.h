#pragma once

#include <nlohmann/json.hpp>

#include "nunatak/base/export.h"
#include "nunatak/table/schema.h"

namespace nunatak {

/// How one schema became another, field by field id at any depth: an array of {"change",
/// "field_id", "path", "from", "to"}, in the order of the second schema, dropped fields behind.
/// `change` is "add", "drop" (of a nested field with all that is in it, once), "rename", "type",
/// "required", "doc", "initial-default", "write-default", or "move": among the fields that both
/// schemas have of one struct, as few moved as explain the new order; "from" and "to" are then the
/// fields that it came after, null for none. `path` is the new one, or the last.
NUNATAK_EXPORT nlohmann::ordered_json SchemaChanges(const Schema& from, const Schema& to);

}  // namespace nunatak
