#pragma once

#include <cstdint>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/delta/snapshot.h"
#include "nunatak/delta/table.h"
#include "nunatak/iceberg/change_plan.h"
#include "nunatak/plan/file_scan_task.h"

namespace nunatak::delta {

/// What one version changed: either the files that its writer wrote the changed rows to, or the
/// files whose rows it changed (specification, "Reader Requirements for AddCDCFile").
struct VersionChanges {
  /// Files of changed rows, which have a column `_change_type`.
  std::vector<FileScanTask> written;
  /// Where none were written: files whose live rows are others than before.
  std::vector<iceberg::FileChange> files;
};

/// Reads what a version changed; its commit must be in the log. Partition values are read as the
/// columns of `last`, the newest version that is told of. Throws `ErrorCode::kInvalid` for a
/// malformed commit, with file and line.
NUNATAK_EXPORT VersionChanges PlanChanges(const Table& table, const Snapshot& last,
                                          int64_t version);

}  // namespace nunatak::delta
