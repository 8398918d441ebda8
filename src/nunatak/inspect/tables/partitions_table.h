#pragma once

#include "nunatak/inspect/metadata_table.h"

namespace nunatak {

/// One row per partition with live files, in the order of their values: how many data and delete
/// files and rows it has, and which snapshot changed it last. An unpartitioned table has one row.
MetadataTable PartitionsTable(const iceberg::Table& table, const MetadataScope& scope);

}  // namespace nunatak
