#include "nunatak/read/read_data_file.h"

#include <utility>

#include "nunatak/read/data_file_stream.h"
#include "nunatak/read/row_limit.h"
#include "nunatak/read/scan_deletes.h"
#include "nunatak/read/supported.h"

namespace nunatak {

void ReadDataFile(std::shared_ptr<FileIO> io, const Context& context, const ReadRequest& request,
                  const FileScanTask& task, const BatchSink& sink) {
  RefuseUnsupportedTask(task);
  ScanDeletes deletes(io, context, request);
  DataFileStream rows(*io, context, task.data_file->file_path,
                      OpenTask(*io, context, request, task, deletes.For(task)));
  RowLimit limit(request.options.limit);
  while (!limit.reached()) {
    std::shared_ptr<arrow::RecordBatch> batch = rows.Next();
    if (batch == nullptr || !sink(limit.Cut(std::move(batch)))) return;
  }
}

}  // namespace nunatak
