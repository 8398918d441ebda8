#pragma once

#include <vector>

#include "nunatak/inspect/verify/verify_snapshot.h"

namespace nunatak {

/// Checks what the delete files of a snapshot apply to (specification, "Scan Planning"). Not for
/// incomplete contents.
void CheckDeletes(const TableFacts& facts, const SnapshotContents& contents,
                  std::vector<Finding>* findings);

}  // namespace nunatak
