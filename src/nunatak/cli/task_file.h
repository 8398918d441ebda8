#pragma once

#include <string>
#include <vector>

#include "nunatak/iceberg/table.h"
#include "nunatak/plan/file_scan_task.h"
#include "nunatak/plan/snapshot_source.h"
#include "nunatak/plan/task_set_header.h"

namespace nunatak::cli {

/// Writes the tasks of a plan in binary form (docs/plan-binary.md), to standard output when the
/// name is "-".
void WriteTaskFile(const std::string& name, const iceberg::Table& table,
                   const SnapshotSource& source, const std::vector<FileScanTask>& tasks);

struct TaskFile {
  TaskSetHeader header;
  std::vector<FileScanTask> tasks;
};

/// Reads it back. Throws `ErrorCode::kUsage` when it is of another table.
TaskFile ReadTaskFile(const std::string& name, const iceberg::Table& table);

}  // namespace nunatak::cli
