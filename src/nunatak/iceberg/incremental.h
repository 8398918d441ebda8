#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/iceberg/manifest.h"
#include "nunatak/iceberg/manifest_cache.h"
#include "nunatak/iceberg/table.h"
#include "nunatak/plan/snapshot_source.h"
#include "nunatak/table/schema.h"

namespace nunatak::iceberg {

/// The snapshots from one, exclusive, to one of its descendants, inclusive.
struct SnapshotRange {
  /// Null: from the oldest ancestor that the table still has. The snapshot itself may have expired,
  /// as long as one that names it as its parent has not.
  std::optional<int64_t> from_exclusive;
  int64_t to_inclusive = 0;
};

/// The snapshots of a range, the oldest first; none when both ends are the same. Valid as long as
/// the metadata. Throws `ErrorCode::kNotFound` when the table has no snapshot `to_inclusive`, and
/// `kUsage` when `from_exclusive` is neither it nor the parent of it or of one of its ancestors.
NUNATAK_EXPORT std::vector<const Snapshot*> SnapshotsIn(const TableMetadata& metadata,
                                                        const SnapshotRange& range);

/// The data files that the append snapshots of a range added, as Java's `IncrementalAppendScan`
/// finds them: snapshots of other operations (overwrite, delete, replace) are passed over with all
/// that they added, files that one of them removed later are still reported, and no deletes apply.
/// To be planned as any snapshot is, read with `schema`, in the order of the snapshots and of their
/// manifests. Throws `ErrorCode::kInvalid` for a snapshot that does not say which operation made
/// it.
NUNATAK_EXPORT std::shared_ptr<const SnapshotSource> MakeAppendSource(
    const Table& table, const SnapshotRange& range, Schema schema,
    std::shared_ptr<ManifestCache> cache = nullptr);

/// What a snapshot changed in the set of the table's files, as its manifests record it.
struct FileChanges {
  int64_t snapshot_id = 0;
  std::vector<ManifestEntry> added_data_files;
  std::vector<ManifestEntry> removed_data_files;
  std::vector<ManifestEntry> added_delete_files;
  std::vector<ManifestEntry> removed_delete_files;
};

/// The changes of one snapshot: the entries that it added or removed, in manifests that it wrote.
/// Entries that it carried over from earlier snapshots, when it rewrote manifests, are no changes.
NUNATAK_EXPORT FileChanges ReadFileChanges(const Table& table, const Context& context,
                                           const Snapshot& snapshot,
                                           ManifestCache* cache = nullptr);

/// The changes of each snapshot of a range, the oldest first.
NUNATAK_EXPORT std::vector<FileChanges> ReadFileChanges(const Table& table, const Context& context,
                                                        const SnapshotRange& range,
                                                        ManifestCache* cache = nullptr);

}  // namespace nunatak::iceberg
