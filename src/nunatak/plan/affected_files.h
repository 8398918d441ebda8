#pragma once

#include <memory>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/plan/file_scan_task.h"
#include "nunatak/plan/snapshot_source.h"

namespace nunatak {

/// A source with the groups of another, whose data files are left out unless one of some deletes
/// may apply to them. Groups for which `whole` is true, such as those of delete files, keep all of
/// their files. Each of `deletes` is the deletes of one snapshot: in it, a data file has no more
/// than one deletion vector. Throws what `DeleteIndex::Add` throws.
NUNATAK_EXPORT std::shared_ptr<const SnapshotSource> MakeAffectedFilesSource(
    std::shared_ptr<const SnapshotSource> source, std::vector<bool> whole,
    const std::vector<std::vector<std::shared_ptr<const DeleteFile>>>& deletes);

}  // namespace nunatak
