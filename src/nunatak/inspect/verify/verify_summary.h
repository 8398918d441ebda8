#pragma once

#include "nunatak/inspect/verify/verify_snapshot.h"

namespace nunatak {

/// Checks the counts of a snapshot's summary, as far as it has them, and its operation. `report` is
/// of the metadata file, which has the summary. Not for incomplete contents.
void CheckSummary(const SnapshotContents& contents, FileReport* report);

}  // namespace nunatak
