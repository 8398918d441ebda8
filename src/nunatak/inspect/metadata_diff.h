#pragma once

#include <nlohmann/json.hpp>

#include "nunatak/iceberg/table_metadata.h"

namespace nunatak {

/// What is different in the definitions of two versions of a table's metadata, each a key of
/// `diff`: format version, partition spec, sort order, properties, refs, snapshots.
void AppendMetadataChanges(const iceberg::TableMetadata& from, const iceberg::TableMetadata& to,
                           nlohmann::ordered_json* diff);

}  // namespace nunatak
