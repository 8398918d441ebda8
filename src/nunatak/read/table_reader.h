#pragma once

#include <arrow/type_fwd.h>

#include <memory>
#include <vector>

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/io/file_io.h"
#include "nunatak/plan/file_scan_task.h"
#include "nunatak/read/next_task.h"
#include "nunatak/read/read_request.h"

namespace nunatak {

/// The rows of scan tasks as a stream of Arrow record batches, in the order of the tasks and of the
/// rows in their files. Some files are read ahead on the context's executor; memory is bounded by
/// the files that are open at once (`ScanOptions`), never by the size of the table or of a file.
/// Used by one thread at a time.
class NUNATAK_EXPORT TableReader {
 public:
  /// Reads tasks as they come, such as those of a `PlanStream`: few are held at a time. `next_task`
  /// is called by the thread that calls `Next`, and its errors come in the tasks' place, as that of
  /// a task that needs what this build does not read (`ErrorCode::kUnsupported`).
  TableReader(std::shared_ptr<FileIO> io, Context context, ReadRequest request, NextTask next_task);
  /// Throws `ErrorCode::kUnsupported` when a task or the projection needs what this build does not
  /// read, before any row is read.
  TableReader(std::shared_ptr<FileIO> io, Context context, ReadRequest request,
              std::vector<FileScanTask> tasks);
  /// Waits for reads that are running, and drops those that have not started.
  ~TableReader();
  TableReader(TableReader&&) noexcept;
  TableReader& operator=(TableReader&&) noexcept;

  /// The schema of every batch: the Arrow form of the projection. Required columns are not nullable
  /// there; nulls that a file holds in one nevertheless are passed on, as the reference engine
  /// does.
  const std::shared_ptr<arrow::Schema>& schema() const;

  /// The next batch, of at least one row; null after the last. An error names its file and ends the
  /// stream. A data file that does not exist is `ErrorCode::kInvalid`.
  std::shared_ptr<arrow::RecordBatch> Next();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nunatak
