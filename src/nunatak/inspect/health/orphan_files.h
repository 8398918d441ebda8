#pragma once

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/iceberg/table.h"
#include "nunatak/inspect/health/table_figures.h"

namespace nunatak {

/// Lists what lies under the table's location (and under `write.data.path` and
/// `write.metadata.path`), and counts the files that neither a snapshot nor the metadata names:
/// live files, manifests, manifest lists, statistics, the metadata file and the log's earlier ones,
/// and the version hint. An estimate: what a writer is about to commit looks the same, for a
/// listing has no times.
///
/// Reads every manifest of every snapshot once. What is held is 8 bytes for each file named, and
/// one directory's listing. Throws what reading manifests and listing throw.
NUNATAK_EXPORT OrphanFigures CountOrphans(const iceberg::Table& table, const Context& context);

}  // namespace nunatak
