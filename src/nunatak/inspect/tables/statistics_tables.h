#pragma once

#include "nunatak/inspect/metadata_table.h"

namespace nunatak {

/// One row per statistics file, with what the metadata says of each blob in it.
MetadataTable StatisticsFilesTable(const iceberg::Table& table, const MetadataScope& scope);
MetadataTable PartitionStatisticsFilesTable(const iceberg::Table& table,
                                            const MetadataScope& scope);

}  // namespace nunatak
