#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "nunatak/base/export.h"
#include "nunatak/iceberg/snapshot_choice.h"
#include "nunatak/iceberg/table.h"

namespace nunatak {

/// What a table is, as `nunatak show --format json` prints it: identity, definitions and totals of
/// one snapshot. `schema` is the schema that the snapshot is read with, in Iceberg's JSON.
NUNATAK_EXPORT nlohmann::ordered_json TableSummary(const iceberg::Table& table,
                                                   const iceberg::ChosenSnapshot& snapshot);

/// A schema as people read it: one field a line, nested fields indented, with ids, nullability,
/// defaults and documentation.
NUNATAK_EXPORT std::string SchemaText(const Schema& schema);

/// "identity(country), day(ordered_at) as ordered_day", or "unpartitioned".
NUNATAK_EXPORT std::string PartitionSpecText(const PartitionSpec& spec, const Schema& schema);
/// "country asc nulls first, …", or "unsorted".
NUNATAK_EXPORT std::string SortOrderText(const SortOrder& order, const Schema& schema);

}  // namespace nunatak
