#include "nunatak/read/count_rows.h"

#include <arrow/record_batch.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <utility>

#include "nunatak/read/data_file_stream.h"
#include "nunatak/read/open_data_file.h"
#include "nunatak/read/scan_deletes.h"
#include "nunatak/read/supported.h"

namespace nunatak {

namespace {

/// Whether the record count of the file, less the positions that deletes remove, is the answer.
bool IsCountKnown(const FileScanTask& task) {
  const DataFile& file = *task.data_file;
  const bool whole =
      task.start == 0 && (task.length <= 0 || task.length >= file.file_size_in_bytes);
  const bool by_position =
      std::all_of(task.deletes.begin(), task.deletes.end(),
                  [](const auto& deletes) { return deletes->file.is_position_delete(); });
  return whole && by_position && (task.residual == nullptr || task.residual->is_true());
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

}  // namespace

int64_t CountRows(std::shared_ptr<FileIO> io, const Context& context, const ReadRequest& request,
                  std::span<const FileScanTask> tasks) {
  for (const FileScanTask& task : tasks) {
    IsCountKnown(task) ? RefuseUnsupportedDeletes(task) : RefuseUnsupportedTask(task);
  }
  ReadRequest without_columns = request;
  without_columns.projection = Schema();
  ScanDeletes deletes(io, context, request);
  std::atomic<int64_t> total{0};
  ParallelFor(context, static_cast<int64_t>(tasks.size()), [&](int64_t i) {
    const FileScanTask& task = tasks[static_cast<size_t>(i)];
    TaskDeletes deleted = deletes.For(task);
    total += IsCountKnown(task)
                 ? CountKnown(task, deleted.positions.get())
                 : CountByReading(*io, context, without_columns, task, std::move(deleted));
  });
  return total;
}

}  // namespace nunatak
