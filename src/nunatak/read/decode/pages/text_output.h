#pragma once

#include <arrow/type_fwd.h>

#include <memory>

#include "nunatak/read/decode/pages/buffer_pool.h"
#include "nunatak/read/decode/pages/value_output.h"

namespace nunatak {

/// Texts and binaries, whose plain form is a length of 4 bytes before each. Arrays of more than
/// 2 GiB are `ErrorCode::kUnsupported`.
std::unique_ptr<ValueOutput> MakeTextOutput(std::shared_ptr<arrow::DataType> type,
                                            std::shared_ptr<BufferPool> pool);

}  // namespace nunatak
