#include "nunatak/read/keep_rows.h"

#include <arrow/array.h>
#include <arrow/record_batch.h>

#include "nunatak/read/decode/select_rows.h"

namespace nunatak {

std::shared_ptr<arrow::RecordBatch> KeepRows(std::shared_ptr<arrow::RecordBatch> batch,
                                             std::span<const uint8_t> dropped) {
  const RowSelection kept = RowSelection::Without(dropped);
  if (kept.count() == 0) return nullptr;
  if (kept.is_all()) return batch;
  arrow::ArrayVector columns;
  for (const std::shared_ptr<arrow::Array>& column : batch->columns()) {
    columns.push_back(SelectRows(column, kept));
  }
  return arrow::RecordBatch::Make(batch->schema(), kept.count(), std::move(columns));
}

}  // namespace nunatak
