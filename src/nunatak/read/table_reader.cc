#include "nunatak/read/table_reader.h"

#include <arrow/record_batch.h>

#include <algorithm>
#include <deque>
#include <exception>
#include <optional>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/read/arrow_schema.h"
#include "nunatak/read/prefetcher.h"
#include "nunatak/read/row_limit.h"
#include "nunatak/read/supported.h"
#include "nunatak/read/task_stream.h"

namespace nunatak {

namespace {

/// Batches of a scan with a small limit need not be larger than that, but not tiny either: a filter
/// may drop most of their rows.
constexpr int64_t kSmallestBatch = 1024;

/// What a stream has ready before it pauses: a batch or two, with which whoever takes them is busy
/// until the next ones are made.
constexpr int64_t kReadyBytes = int64_t{4} << 20;

bool Overlaps(const FileIO& io, const ScanOptions& options) {
  return options.overlap_io && io.waits();
}

size_t FilesAtOnce(const FileIO& io, const Context& context, const ScanOptions& options) {
  if (options.limit >= 0 && options.limit <= options.batch_size) return 1;
  if (options.files_at_once > 0) return static_cast<size_t>(options.files_at_once);
  const size_t files = context.executor == nullptr ? 1 : static_cast<size_t>(context.workers()) + 1;
  return Overlaps(io, options) ? 2 * files : files;
}

/// Fits windows and batches into the context's budget: each open file has a window of stored bytes
/// and as much in decoded batches.
ReadRequest FitIntoBudget(ReadRequest request, const Context& context, size_t files) {
  ScanOptions& options = request.options;
  const int64_t share =
      std::max<int64_t>(context.memory_budget / (2 * static_cast<int64_t>(files)), 1);
  options.window_bytes = std::min(options.window_bytes, share);
  options.batch_bytes = std::min(options.batch_bytes, std::max<int64_t>(share / 2, 1));
  if (options.limit >= 0) {
    options.batch_size = std::min(options.batch_size, std::max(options.limit, kSmallestBatch));
  }
  return request;
}

}  // namespace

class TableReader::Impl {
 public:
  Impl(const std::shared_ptr<FileIO>& io, const Context& context, const ReadRequest& request,
       NextTask next_task, size_t files_at_once)
      : schema_(ArrowSchemaOf(request.projection)),
        files_at_once_(files_at_once),
        limit_(request.options.limit),
        next_task_(std::move(next_task)),
        scan_{.io = io,
              .context = context,
              .request = request,
              .deletes = ScanDeletes(io, context, request),
              .ready_bytes = std::min(request.options.batch_bytes, kReadyBytes)} {
    if (files_at_once_ > 1 && Overlaps(*io, scan_.request.options)) {
      prefetcher_.emplace(files_at_once_);
    }
  }

  ~Impl() { CancelAll(); }

  const std::shared_ptr<arrow::Schema>& schema() const { return schema_; }

  std::shared_ptr<arrow::RecordBatch> Next() {
    try {
      while (!limit_.reached()) {
        StartAhead();
        if (streams_.empty() && error_) std::rethrow_exception(std::exchange(error_, nullptr));
        if (streams_.empty()) return nullptr;
        if (auto batch = streams_.front()->Next()) return limit_.Cut(std::move(batch));
        streams_.pop_front();
      }
    } catch (...) {
      End();
      throw;
    }
    End();
    return nullptr;
  }

 private:
  void StartAhead() {
    while (streams_.size() < files_at_once_ && next_task_) {
      std::optional<FileScanTask> task = TakeTask();
      if (!task) {
        next_task_ = nullptr;
        return;
      }
      streams_.push_back(std::make_shared<TaskStream>(scan_, std::move(*task)));
      if (prefetcher_) {
        prefetcher_->Add(streams_.back());
      } else {
        streams_.back()->Start();
      }
    }
  }

  /// Nullopt at the end and after an error, which waits for the rows of the tasks before.
  std::optional<FileScanTask> TakeTask() {
    try {
      std::optional<FileScanTask> task = next_task_();
      if (task) RefuseUnsupportedTask(*task);
      return task;
    } catch (...) {
      error_ = std::current_exception();
      return std::nullopt;
    }
  }

  void End() {
    CancelAll();
    next_task_ = nullptr;
    error_ = nullptr;
  }

  void CancelAll() {
    for (const std::shared_ptr<TaskStream>& stream : streams_) stream->Cancel();
    streams_.clear();
  }

  std::shared_ptr<arrow::Schema> schema_;
  size_t files_at_once_;
  RowLimit limit_;
  /// Null when there are no more.
  NextTask next_task_;
  std::exception_ptr error_;
  ScanState scan_;
  /// The open files, in the order of their tasks.
  std::deque<std::shared_ptr<TaskStream>> streams_;
  /// Last: its threads use the others. None where nothing waits.
  std::optional<Prefetcher> prefetcher_;
};

namespace {

std::vector<FileScanTask> Supported(std::vector<FileScanTask> tasks) {
  for (const FileScanTask& task : tasks) RefuseUnsupportedTask(task);
  return tasks;
}

}  // namespace

TableReader::TableReader(std::shared_ptr<FileIO> io, Context context, ReadRequest request,
                         NextTask next_task) {
  const size_t files_at_once = FilesAtOnce(*io, context, request.options);
  request = FitIntoBudget(std::move(request), context, files_at_once);
  impl_ = std::make_unique<Impl>(io, context, request, std::move(next_task), files_at_once);
}

TableReader::TableReader(std::shared_ptr<FileIO> io, Context context, ReadRequest request,
                         std::vector<FileScanTask> tasks)
    : TableReader(std::move(io), std::move(context), std::move(request),
                  TasksInOrder(Supported(std::move(tasks)))) {}

TableReader::~TableReader() = default;
TableReader::TableReader(TableReader&&) noexcept = default;
TableReader& TableReader::operator=(TableReader&&) noexcept = default;

const std::shared_ptr<arrow::Schema>& TableReader::schema() const { return impl_->schema(); }
std::shared_ptr<arrow::RecordBatch> TableReader::Next() { return impl_->Next(); }

}  // namespace nunatak
