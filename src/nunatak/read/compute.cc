#include "nunatak/read/compute.h"

#include <arrow/compute/initialize.h>

#include "nunatak/read/decode/arrow_error.h"

namespace nunatak {

void InitializeCompute() {
  static const bool initialized = [] {
    CheckOk(arrow::compute::Initialize());
    return true;
  }();
  static_cast<void>(initialized);
}

}  // namespace nunatak
