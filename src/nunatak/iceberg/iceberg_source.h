#pragma once

#include <memory>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/iceberg/manifest.h"
#include "nunatak/iceberg/manifest_cache.h"
#include "nunatak/iceberg/snapshot_choice.h"
#include "nunatak/iceberg/table.h"
#include "nunatak/plan/snapshot_source.h"

namespace nunatak::iceberg {

/// The manifests of a snapshot: its manifest list, or v1's inline `manifests`, whose counts and
/// summaries are unknown. None for a null snapshot. An error names the file.
NUNATAK_EXPORT std::vector<ManifestFile> ReadManifests(const Table& table, const Snapshot* snapshot,
                                                       ManifestCache* cache = nullptr);

/// Reads one manifest of the table, with the table's own spec. An error names the file.
NUNATAK_EXPORT Manifest ReadManifest(const Table& table, const ManifestFile& file,
                                     ManifestCache* cache = nullptr,
                                     const ManifestReadOptions& options = {});
/// Its bytes alone; a cache keeps them, so that a later `ReadManifest` with it makes no request.
NUNATAK_EXPORT Buffer FetchManifest(const Table& table, const ManifestFile& file,
                                    ManifestCache* cache = nullptr);

/// What a scan without a cache of its own shares among its manifests: shapes alone, since it reads
/// each file once.
std::shared_ptr<ManifestCache> CacheOfOneScan();

/// The files of one snapshot of an Iceberg table: its groups are manifests. With a cache, which may
/// be shared with other scans and threads, planning an unchanged table again reads no file.
NUNATAK_EXPORT std::shared_ptr<const SnapshotSource> MakeSnapshotSource(
    const Table& table, const ChosenSnapshot& snapshot,
    std::shared_ptr<ManifestCache> cache = nullptr);

}  // namespace nunatak::iceberg
