#pragma once

namespace nunatak {

/// Registers Arrow's compute kernels; must be called before any is used, and costs nothing after
/// the first time.
void InitializeCompute();

}  // namespace nunatak
