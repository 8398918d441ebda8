#pragma once

#include "nunatak/inspect/metadata_table.h"

namespace nunatak {

MetadataTable ManifestsTable(const iceberg::Table& table, const MetadataScope& scope);
/// The same with `schema_id`, from the header of each manifest: null when it names none.
MetadataTable ManifestSchemasTable(const iceberg::Table& table, const MetadataScope& scope);
/// The manifest lists of all snapshots: a manifest comes once for each snapshot that has it.
MetadataTable AllManifestsTable(const iceberg::Table& table, const MetadataScope& scope);

}  // namespace nunatak
