#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "nunatak/base/bytes.h"
#include "nunatak/iceberg/manifest.h"
#include "nunatak/iceberg/manifest_cache.h"
#include "nunatak/iceberg/table.h"
#include "nunatak/plan/snapshot_source.h"
#include "nunatak/table/partition_spec.h"
#include "nunatak/table/schema.h"

namespace nunatak::iceberg {

/// Which files a source of manifests has.
struct SourceManifests {
  std::vector<ManifestFile> files;
  /// The snapshot that is planned; null for a table without one.
  std::optional<int64_t> snapshot_id;
  Schema schema;
  /// Only files that one of these snapshots added; every live file when absent.
  std::optional<std::set<int64_t>> added_by = std::nullopt;
};

/// The files of some manifests of a table, each manifest a group.
std::shared_ptr<const SnapshotSource> MakeManifestSource(const Table& table,
                                                         SourceManifests manifests,
                                                         std::shared_ptr<ManifestCache> cache);

/// Reads a file that the table's metadata names: when it is missing, the table is broken.
Buffer ReadReferenced(const Table& table, const std::string& location, std::string_view what,
                      ManifestCache* cache);

/// The table's spec of a manifest; throws `ErrorCode::kInvalid` when there is none.
const PartitionSpec& SpecOf(const TableMetadata& metadata, const ManifestFile& file);

}  // namespace nunatak::iceberg
