#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>
#include <memory>
#include <span>

namespace nunatak {

/// The rows i of a batch for which `dropped[i]` is 0; null when there is none.
std::shared_ptr<arrow::RecordBatch> KeepRows(std::shared_ptr<arrow::RecordBatch> batch,
                                             std::span<const uint8_t> dropped);

}  // namespace nunatak
