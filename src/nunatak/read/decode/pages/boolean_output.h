#pragma once

#include <memory>

#include "nunatak/read/decode/pages/value_output.h"

namespace nunatak {

/// Booleans: numbers 0 and 1, which in the plain encoding are single bits.
std::unique_ptr<ValueOutput> MakeBooleanOutput();

}  // namespace nunatak
