#pragma once

#include "nunatak/plan/file_scan_task.h"

namespace nunatak {

/// Throws `ErrorCode::kUnsupported`, by name, when applying the task's deletes takes what this
/// build does not do: encrypted files.
void RefuseUnsupportedDeletes(const FileScanTask& task);

/// The same for everything that reading the task takes; data files in Puffin, which has no rows,
/// are refused too.
void RefuseUnsupportedTask(const FileScanTask& task);

}  // namespace nunatak
