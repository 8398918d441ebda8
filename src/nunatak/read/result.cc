#include "nunatak/read/result.h"

#include <arrow/record_batch.h>
#include <arrow/table.h>

#include <utility>

#include "nunatak/read/arrow_schema.h"
#include "nunatak/read/decode/arrow_error.h"
#include "nunatak/read/read_data_file.h"

namespace nunatak {

namespace {

std::shared_ptr<arrow::Table> TableOf(const std::shared_ptr<arrow::Schema>& schema,
                                      const arrow::RecordBatchVector& batches) {
  return ValueOrThrow(arrow::Table::FromRecordBatches(schema, batches));
}

}  // namespace

std::shared_ptr<arrow::Table> ReadTable(TableReader reader) {
  arrow::RecordBatchVector batches;
  while (std::shared_ptr<arrow::RecordBatch> batch = reader.Next()) {
    batches.push_back(std::move(batch));
  }
  return TableOf(reader.schema(), batches);
}

std::shared_ptr<arrow::Table> ReadDataFileTable(std::shared_ptr<FileIO> io, const Context& context,
                                                const ReadRequest& request,
                                                const FileScanTask& task) {
  arrow::RecordBatchVector batches;
  ReadDataFile(std::move(io), context, request, task,
               [&](std::shared_ptr<arrow::RecordBatch> batch) {
                 batches.push_back(std::move(batch));
                 return true;
               });
  return TableOf(ArrowSchemaOf(request.projection), batches);
}

std::shared_ptr<arrow::Table> EmptyTable(const Schema& projection) {
  return TableOf(ArrowSchemaOf(projection), {});
}

}  // namespace nunatak
