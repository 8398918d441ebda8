#pragma once

#include "nunatak/inspect/metadata_table.h"

namespace nunatak {

MetadataTable SnapshotsTable(const iceberg::Table& table, const MetadataScope& scope);
MetadataTable HistoryTable(const iceberg::Table& table, const MetadataScope& scope);
MetadataTable RefsTable(const iceberg::Table& table, const MetadataScope& scope);
/// One row per metadata file of the log, the current one last.
MetadataTable MetadataLogEntriesTable(const iceberg::Table& table, const MetadataScope& scope);
/// One row per metadata file of the log, the current one last: how many files of each kind its
/// commit added, and how many there are by then.
MetadataTable CommitFilesTable(const iceberg::Table& table, const MetadataScope& scope);

}  // namespace nunatak
