#pragma once

#include <memory>

#include "nunatak/inspect/metadata_table.h"
#include "nunatak/plan/snapshot_source.h"

namespace nunatak {

// The tables about live files of a table of any format; `source` lists the files.
MetadataTable FilesTable(std::shared_ptr<const SnapshotSource> source);
MetadataTable PartitionsTable(std::shared_ptr<const SnapshotSource> source);

}  // namespace nunatak
