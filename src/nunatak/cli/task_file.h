#pragma once

#include <string>
#include <vector>

#include "nunatak/cli/output.h"
#include "nunatak/cli/scan_options.h"
#include "nunatak/open/open_table.h"
#include "nunatak/plan/file_scan_task.h"
#include "nunatak/plan/task_set_header.h"

namespace nunatak::cli {

/// What a reader of tasks of the scan needs; it returns the table's columns.
TaskSetHeader HeaderOf(const OpenedScan& scan, const std::vector<FileScanTask>& tasks);

/// Writes tasks in binary form (docs/plan-binary.md) or as JSON (docs/plan-json.md), to standard
/// output when the name is "-".
void WriteTaskFile(const std::string& name, const TaskSetHeader& header,
                   const std::vector<FileScanTask>& tasks);
void WriteTaskFile(const std::string& name, const nlohmann::ordered_json& tasks);

struct TaskFile {
  TaskSetHeader header;
  std::vector<FileScanTask> tasks;
};

/// Reads either back. Throws `ErrorCode::kUsage` when it is of another table.
TaskFile ReadTaskFile(const std::string& name, const OpenedTable& table);

}  // namespace nunatak::cli
