#include "nunatak/inspect/tables/partitions_table.h"

#include <memory>

#include "nunatak/iceberg/partition_types.h"
#include "nunatak/inspect/tables/manifest_parts.h"
#include "nunatak/inspect/tables/partition_rows.h"

namespace nunatak {

MetadataTable PartitionsTable(const iceberg::Table& table, const MetadataScope& scope) {
  const ManifestParts manifests = SnapshotManifests(table, scope.snapshot);
  const auto rows = std::make_shared<PartitionRows>(iceberg::MergedPartitionsOf(*table.metadata),
                                                    manifests.size());
  MetadataTable partitions = PartitionRows::Table(rows, [table, rows, manifests](size_t part) {
    const iceberg::Manifest manifest = manifests.Read(part);
    for (const iceberg::ManifestEntry& entry : manifest.entries) {
      if (!entry.is_live()) continue;
      rows->Add(part, manifest.partition_spec, entry.data_file,
                entry.snapshot_id ? table.metadata->FindSnapshot(*entry.snapshot_id) : nullptr);
    }
  });
  partitions.fetch = manifests.fetch();
  partitions.bytes = manifests.bytes();
  return partitions;
}

}  // namespace nunatak
