#pragma once

#include "nunatak/inspect/metadata_table.h"

namespace nunatak {

// The live files of one snapshot.
MetadataTable FilesTable(const iceberg::Table& table, const MetadataScope& scope);
MetadataTable DataFilesTable(const iceberg::Table& table, const MetadataScope& scope);
MetadataTable DeleteFilesTable(const iceberg::Table& table, const MetadataScope& scope);

// The live files of each manifest that any snapshot of the table has, which is read once: a file
// that several of them list comes several times.
MetadataTable AllFilesTable(const iceberg::Table& table, const MetadataScope& scope);
MetadataTable AllDataFilesTable(const iceberg::Table& table, const MetadataScope& scope);
MetadataTable AllDeleteFilesTable(const iceberg::Table& table, const MetadataScope& scope);

/// The manifest entries of one snapshot, DELETED ones included.
MetadataTable EntriesTable(const iceberg::Table& table, const MetadataScope& scope);
/// Those of each manifest that any snapshot of the table has.
MetadataTable AllEntriesTable(const iceberg::Table& table, const MetadataScope& scope);

}  // namespace nunatak
