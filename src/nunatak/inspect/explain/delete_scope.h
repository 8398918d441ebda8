#pragma once

#include <string>

#include "nunatak/plan/file_scan_task.h"
#include "nunatak/plan/snapshot_source.h"

namespace nunatak {

/// A data file as far as deletes ask.
struct DeleteTarget {
  const DataFile& file;
  int64_t data_sequence_number = 0;
  /// A deletion vector applies to it.
  bool has_vector = false;
};

/// Why a delete file applies to a data file, or does not (specification, "Scan Planning"), in
/// words. `applies` is what the planner found.
std::string DeleteScopeReason(const SnapshotSource& source, const DeleteTarget& target,
                              const DeleteFile& deletes, bool applies);

}  // namespace nunatak
