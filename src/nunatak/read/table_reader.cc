#include "nunatak/read/table_reader.h"

#include <arrow/record_batch.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/read/arrow_schema.h"
#include "nunatak/read/row_limit.h"
#include "nunatak/read/supported.h"
#include "nunatak/read/task_stream.h"

namespace nunatak {

namespace {

/// Batches of a scan with a small limit need not be larger than that, but not tiny either: a filter
/// may drop most of their rows.
constexpr int64_t kSmallestBatch = 1024;

size_t FilesAtOnce(const Context& context, const ScanOptions& options) {
  if (options.limit >= 0 && options.limit <= options.batch_size) return 1;
  if (options.files_at_once > 0) return static_cast<size_t>(options.files_at_once);
  return context.executor == nullptr ? 1 : static_cast<size_t>(context.workers()) + 1;
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
  Impl(std::shared_ptr<FileIO> io, Context context, ReadRequest request,
       std::vector<FileScanTask> tasks)
      : schema_(ArrowSchemaOf(request.projection)),
        files_at_once_(FilesAtOnce(context, request.options)),
        limit_(request.options.limit),
        tasks_(std::move(tasks)),
        scan_{.io = io,
              .context = context,
              .request = FitIntoBudget(std::move(request), context, files_at_once_),
              .deletes = PositionDeletes(io, context),
              .ready_bytes = 0} {
    for (const FileScanTask& task : tasks_) RefuseUnsupportedTask(task);
    scan_.ready_bytes = scan_.request.options.batch_bytes;
  }

  ~Impl() { CancelAll(); }

  const std::shared_ptr<arrow::Schema>& schema() const { return schema_; }

  std::shared_ptr<arrow::RecordBatch> Next() {
    try {
      while (!limit_.reached()) {
        StartAhead();
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
    while (streams_.size() < files_at_once_ && next_task_ < tasks_.size()) {
      streams_.push_back(std::make_shared<TaskStream>(scan_, std::move(tasks_[next_task_++])));
      streams_.back()->Start();
    }
  }

  void End() {
    CancelAll();
    next_task_ = tasks_.size();
  }

  void CancelAll() {
    for (const std::shared_ptr<TaskStream>& stream : streams_) stream->Cancel();
    streams_.clear();
  }

  std::shared_ptr<arrow::Schema> schema_;
  size_t files_at_once_;
  RowLimit limit_;
  std::vector<FileScanTask> tasks_;
  size_t next_task_ = 0;
  ScanState scan_;
  /// The open files, in the order of their tasks.
  std::deque<std::shared_ptr<TaskStream>> streams_;
};

TableReader::TableReader(std::shared_ptr<FileIO> io, Context context, ReadRequest request,
                         std::vector<FileScanTask> tasks)
    : impl_(std::make_unique<Impl>(std::move(io), std::move(context), std::move(request),
                                   std::move(tasks))) {}

TableReader::~TableReader() = default;
TableReader::TableReader(TableReader&&) noexcept = default;
TableReader& TableReader::operator=(TableReader&&) noexcept = default;

const std::shared_ptr<arrow::Schema>& TableReader::schema() const { return impl_->schema(); }
std::shared_ptr<arrow::RecordBatch> TableReader::Next() { return impl_->Next(); }

}  // namespace nunatak
