#pragma once

#include <arrow/type_fwd.h>

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>

#include "nunatak/base/context.h"
#include "nunatak/io/file_io.h"
#include "nunatak/plan/file_scan_task.h"
#include "nunatak/read/data_file_stream.h"
#include "nunatak/read/file_tails.h"
#include "nunatak/read/read_request.h"
#include "nunatak/read/scan_deletes.h"

namespace nunatak {

/// What the streams of one scan share; outlives them.
struct ScanState {
  std::shared_ptr<FileIO> io;
  Context context;
  ReadRequest request;
  ScanDeletes deletes;
  FileTails tails = {};
  /// Bytes that each stream may have ready before it pauses.
  int64_t ready_bytes = 0;
};

/// The rows of one task, produced ahead on the context's executor as long as there is room. No
/// thread of the executor ever waits: a full stream ends its piece of work, and `Next` submits
/// another. Nor does `Next` wait for work that has not started: it does it itself.
class TaskStream : public std::enable_shared_from_this<TaskStream> {
 public:
  TaskStream(ScanState& scan, FileScanTask task) : scan_(scan), task_(std::move(task)) {}

  /// Submits work when there is an executor and room.
  void Start();
  /// Opens the file and fetches its first bytes, unless that was begun: `Next` waits meanwhile.
  void Prefetch();
  /// The next batch; null at the end. Throws the error that ended the stream, once.
  std::shared_ptr<arrow::RecordBatch> Next();
  /// Ends the stream; waits for work that is running, and makes work that is not a no-op.
  void Cancel();

 private:
  enum class Work { kNone, kSubmitted, kRunning };

  void Open();
  void RunSubmitted();
  /// Produces one batch, or notes the end or the error. Called without the lock, while `kRunning`.
  void Produce();
  std::shared_ptr<arrow::RecordBatch> ReadNext();

  ScanState& scan_;
  const FileScanTask task_;
  /// Touched only by whoever made `work_` kRunning.
  std::optional<DataFileStream> rows_;

  std::mutex mutex_;
  std::condition_variable changed_;
  Work work_ = Work::kNone;
  std::deque<std::shared_ptr<arrow::RecordBatch>> ready_;
  int64_t ready_bytes_ = 0;
  bool finished_ = false;
  std::exception_ptr error_;
};

}  // namespace nunatak
