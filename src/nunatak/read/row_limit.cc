#include "nunatak/read/row_limit.h"

#include <arrow/record_batch.h>

namespace nunatak {

std::shared_ptr<arrow::RecordBatch> RowLimit::Cut(std::shared_ptr<arrow::RecordBatch> batch) {
  if (left_ < 0) return batch;
  if (batch->num_rows() > left_) batch = batch->Slice(0, left_);
  left_ -= batch->num_rows();
  return batch;
}

}  // namespace nunatak
