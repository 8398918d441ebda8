#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/plan/file_scan_task.h"

namespace nunatak {

/// Gives the next task, or nullopt after the last one.
using NextTask = std::function<std::optional<FileScanTask>()>;

/// Gives the tasks one after the other.
NUNATAK_EXPORT NextTask TasksInOrder(std::vector<FileScanTask> tasks);

}  // namespace nunatak
