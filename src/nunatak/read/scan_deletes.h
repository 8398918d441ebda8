#pragma once

#include <memory>

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/io/file_io.h"
#include "nunatak/plan/file_scan_task.h"
#include "nunatak/read/deleted_keys.h"
#include "nunatak/read/deleted_positions.h"
#include "nunatak/read/read_request.h"
#include "nunatak/read/task_deletes.h"

namespace nunatak {

/// The deletes of a scan: each delete file is read once, when the first task needs it. Thread-safe.
class NUNATAK_EXPORT ScanDeletes {
 public:
  ScanDeletes(const std::shared_ptr<FileIO>& io, const Context& context, const ReadRequest& request)
      : positions_(io, context, request.options), keys_(io, context, request) {}

  /// Throws what `DeletedPositions` and `DeletedKeys` throw.
  TaskDeletes For(const FileScanTask& task) { return {positions_.For(task), keys_.For(task)}; }

 private:
  DeletedPositions positions_;
  DeletedKeys keys_;
};

}  // namespace nunatak
