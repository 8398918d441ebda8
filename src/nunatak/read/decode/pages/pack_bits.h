#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>
#include <memory>
#include <span>

namespace nunatak {

/// Arrow's bitmap of marks, each of which is 0 or 1.
std::shared_ptr<arrow::Buffer> PackBits(std::span<const uint8_t> marks);

}  // namespace nunatak
