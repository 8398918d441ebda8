#include "nunatak/read/keep_rows.h"

#include <arrow/array.h>
#include <arrow/buffer.h>
#include <arrow/compute/api_vector.h>
#include <arrow/datum.h>
#include <arrow/record_batch.h>
#include <arrow/util/bit_util.h>

#include <algorithm>
#include <vector>

#include "nunatak/read/compute.h"
#include "nunatak/read/decode/arrow_error.h"

namespace nunatak {

std::shared_ptr<arrow::BooleanArray> ArrowBooleans(std::span<const uint8_t> values) {
  const auto count = static_cast<int64_t>(values.size());
  const std::shared_ptr<arrow::Buffer> bits = ValueOrThrow(arrow::AllocateEmptyBitmap(count));
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i]) arrow::bit_util::SetBit(bits->mutable_data(), static_cast<int64_t>(i));
  }
  return std::make_shared<arrow::BooleanArray>(count, bits);
}

std::shared_ptr<arrow::RecordBatch> KeepRows(std::shared_ptr<arrow::RecordBatch> batch,
                                             std::span<const uint8_t> dropped) {
  const auto count = std::count(dropped.begin(), dropped.end(), uint8_t{0});
  if (count == 0) return nullptr;
  if (count == batch->num_rows()) return batch;
  if (batch->num_columns() == 0) {
    return arrow::RecordBatch::Make(batch->schema(), count, arrow::ArrayVector{});
  }
  InitializeCompute();
  std::vector<uint8_t> kept(dropped.size());
  std::transform(dropped.begin(), dropped.end(), kept.begin(), [](uint8_t gone) { return !gone; });
  return ValueOrThrow(arrow::compute::Filter(batch, ArrowBooleans(kept))).record_batch();
}

}  // namespace nunatak
