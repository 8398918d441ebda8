#pragma once

#include "nunatak/inspect/metadata_table.h"

namespace nunatak {

/// The rows of the position delete files and deletion vectors of a snapshot, one after the other;
/// `row` is null unless the delete file holds the deleted rows, and has no variants.
MetadataTable PositionDeletesTable(const iceberg::Table& table, const MetadataScope& scope);

}  // namespace nunatak
