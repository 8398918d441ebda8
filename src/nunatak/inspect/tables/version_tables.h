#pragma once

#include <memory>

#include "nunatak/delta/snapshot.h"
#include "nunatak/delta/table.h"
#include "nunatak/inspect/metadata_table.h"

namespace nunatak {

/// The versions of a Delta table whose commits are in its log, the oldest first, up to `last` with
/// the columns of Iceberg's `snapshots`: the version as `snapshot_id`, its commit file as
/// `manifest_list`, what the commit says of itself as `summary`.
MetadataTable VersionsTable(const delta::Table& table,
                            const std::shared_ptr<const delta::Snapshot>& last);

/// The same versions with the columns of Iceberg's `history`; each is an ancestor of all later
/// ones.
MetadataTable VersionHistoryTable(const delta::Table& table,
                                  const std::shared_ptr<const delta::Snapshot>& last);

}  // namespace nunatak
