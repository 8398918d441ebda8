#pragma once

#include <arrow/type_fwd.h>

#include <cstddef>
#include <memory>

#include "nunatak/read/decode/pages/buffer_pool.h"
#include "nunatak/read/decode/pages/value_output.h"

namespace nunatak {

/// Values that are stored as `type` has them, of `width` bytes each.
std::unique_ptr<ValueOutput> MakeFixedOutput(std::shared_ptr<arrow::DataType> type, size_t width,
                                             std::shared_ptr<BufferPool> pool);

/// Decimals of 128 bits that are stored as integers of 4 or 8 bytes.
std::unique_ptr<ValueOutput> MakeIntegerDecimalOutput(std::shared_ptr<arrow::DataType> type,
                                                      size_t width,
                                                      std::shared_ptr<BufferPool> pool);

/// Decimals of 128 bits that are stored as big-endian two's complement of 1 to 16 bytes.
std::unique_ptr<ValueOutput> MakeBinaryDecimalOutput(std::shared_ptr<arrow::DataType> type,
                                                     size_t width,
                                                     std::shared_ptr<BufferPool> pool);

/// Timestamps that are stored as nanoseconds of a day, in 8 bytes, and its Julian number, in 4, as
/// microseconds or nanoseconds; what these do not reach is `ErrorCode::kInvalid`.
std::unique_ptr<ValueOutput> MakeInt96Output(std::shared_ptr<arrow::DataType> type,
                                             std::shared_ptr<BufferPool> pool);

}  // namespace nunatak
