#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "nunatak/base/bytes.h"

namespace nunatak {

/// Numbers of `width` bits (0 to 32), packed one behind the other from the lowest bit of each byte
/// on: those from number `first` on. `packed` must hold all that are asked for.
void UnpackBits(ByteSpan packed, int width, size_t first, std::span<uint32_t> out);

}  // namespace nunatak
