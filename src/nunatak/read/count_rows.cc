#include "nunatak/read/count_rows.h"

#include <arrow/record_batch.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "nunatak/read/data_file_stream.h"
#include "nunatak/read/open_data_file.h"
#include "nunatak/read/scan_deletes.h"
#include "nunatak/read/supported.h"

namespace nunatak {

namespace {

constexpr size_t kTasksAtOnce = 512;

/// Whether the record count of the file, less the positions that deletes remove, is the answer.
bool IsCountKnown(const FileScanTask& task) {
  const DataFile& file = *task.data_file;
  const bool whole =
      task.start == 0 && (task.length <= 0 || task.length >= file.file_size_in_bytes);
  const bool by_position =
      std::all_of(task.deletes.begin(), task.deletes.end(),
                  [](const auto& deletes) { return deletes->file.is_position_delete(); });
  return whole && by_position && file.record_count >= 0 &&
         (task.residual == nullptr || task.residual->is_true());
}

int64_t CountKnown(const FileScanTask& task, const iceberg::PositionSet* deleted) {
  const int64_t records = task.data_file->record_count;
  if (deleted == nullptr) return records;
  // Positions beyond the end of the file remove nothing.
  const auto beyond =
      static_cast<int64_t>(deleted->InRange(records, std::numeric_limits<int64_t>::max()).size());
  return records - (deleted->cardinality() - beyond);
}

int64_t CountByReading(FileIO& io, const Context& context, const ReadRequest& request,
                       const FileScanTask& task, TaskDeletes deletes) {
  DataFileStream rows(io, context, task.data_file->file_path,
                      OpenTask(io, context, request, task, std::move(deletes)));
  int64_t count = 0;
  while (const std::shared_ptr<arrow::RecordBatch> batch = rows.Next()) count += batch->num_rows();
  return count;
}

/// Counts the rows of tasks, some at a time.
class RowCounter {
 public:
  RowCounter(std::shared_ptr<FileIO> io, const Context& context, ReadRequest request)
      : io_(std::move(io)),
        context_(context),
        request_(std::move(request)),
        deletes_(io_, context_, request_) {
    request_.projection = Schema();
  }

  int64_t Count(std::span<const FileScanTask> tasks) {
    for (const FileScanTask& task : tasks) {
      IsCountKnown(task) ? RefuseUnsupportedDeletes(task) : RefuseUnsupportedTask(task);
    }
    std::atomic<int64_t> total{0};
    ParallelFor(context_, static_cast<int64_t>(tasks.size()),
                [&](int64_t i) { total += Count(tasks[static_cast<size_t>(i)]); });
    return total;
  }

 private:
  int64_t Count(const FileScanTask& task) {
    if (IsCountKnown(task) && request_.with_deleted) return task.data_file->record_count;
    TaskDeletes deleted = deletes_.For(task);
    if (IsCountKnown(task)) return CountKnown(task, deleted.positions.get());
    return CountByReading(*io_, context_, request_, task, std::move(deleted));
  }

  std::shared_ptr<FileIO> io_;
  Context context_;
  ReadRequest request_;
  ScanDeletes deletes_;
};

}  // namespace

int64_t CountRows(std::shared_ptr<FileIO> io, const Context& context, const ReadRequest& request,
                  std::span<const FileScanTask> tasks) {
  return RowCounter(std::move(io), context, request).Count(tasks);
}

int64_t CountRows(std::shared_ptr<FileIO> io, const Context& context, const ReadRequest& request,
                  const NextTask& next_task) {
  RowCounter counter(std::move(io), context, request);
  int64_t total = 0;
  std::vector<FileScanTask> tasks;
  for (bool more = true; more; tasks.clear()) {
    while (more && tasks.size() < kTasksAtOnce) {
      std::optional<FileScanTask> task = next_task();
      more = task.has_value();
      if (task) tasks.push_back(std::move(*task));
    }
    total += counter.Count(tasks);
  }
  return total;
}

}  // namespace nunatak
