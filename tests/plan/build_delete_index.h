#pragma once

#include <memory>
#include <vector>

#include "nunatak/plan/delete_index.h"

namespace nunatak {

using DeletePtr = std::shared_ptr<const DeleteFile>;

/// An index of files that carry the bounds of their path column as metrics.
inline DeleteIndex BuildDeleteIndex(const std::vector<DeletePtr>& files,
                                    const SnapshotSource& source) {
  DeleteIndex index(source);
  for (const DeletePtr& file : files) {
    PathBounds paths;
    if (const ColumnMetrics* metrics = file->file.FindMetrics(kDeletePathColumnId)) {
      paths = {.lower = metrics->lower_bound, .upper = metrics->upper_bound};
    }
    index.Add(file, paths);
  }
  index.Arrange();
  return index;
}

}  // namespace nunatak
