#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/expr/bound_filter.h"
#include "nunatak/iceberg/incremental.h"
#include "nunatak/iceberg/manifest_cache.h"
#include "nunatak/iceberg/table.h"
#include "nunatak/plan/file_scan_task.h"
#include "nunatak/table/schema.h"

namespace nunatak::iceberg {

/// A snapshot that may have changed rows.
struct ChangedSnapshot {
  const Snapshot* snapshot = nullptr;
  /// Whose rows it changed; null for the first snapshot of all.
  const Snapshot* parent = nullptr;
  /// Its number among those of the range, from 0.
  int32_t ordinal = 0;
};

/// The snapshots of a range whose changes are told, the oldest first: all but those of operation
/// "replace", which write the same rows anew. Valid as long as the metadata. Throws what
/// `SnapshotsIn` throws, and `ErrorCode::kNotFound` when the snapshot before the range has expired:
/// which rows it had is not known any more.
NUNATAK_EXPORT std::vector<ChangedSnapshot> ChangedSnapshots(const TableMetadata& metadata,
                                                             const SnapshotRange& range);

/// A data file whose live rows a snapshot changed: its task before and after, each with the deletes
/// that apply then. Without `before` the snapshot added the file, without `after` it removed it;
/// with both, the deletes of the file are others than before.
struct FileChange {
  std::optional<FileScanTask> before;
  std::optional<FileScanTask> after;
};

/// What the rows of changes are planned with.
struct ChangeScan {
  /// Of the table's own columns: those of both sides are read with it.
  Schema schema;
  /// Bound to `schema` and the metadata columns; files that cannot hold a row of it are left out.
  BoundFilter filter;
};

/// The data files whose live rows a snapshot changed against its parent. Reads the manifests that
/// one of the two has and the other has not; when the delete files differ, those also that hold
/// data files to which they may apply. Memory grows with the number of changed files.
NUNATAK_EXPORT std::vector<FileChange> PlanFileChanges(const Table& table, const Context& context,
                                                       const ChangedSnapshot& changed,
                                                       const ChangeScan& scan,
                                                       std::shared_ptr<ManifestCache> cache);

}  // namespace nunatak::iceberg
