// A manifest list, read whole.
#include <cstddef>
#include <cstdint>

#include "nunatak/base/error.h"
#include "nunatak/iceberg/manifest.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    for (const auto& file : nunatak::iceberg::ReadManifestList(nunatak::ByteSpan(data, size))) {
      (void)file.live_files();
    }
  } catch (const nunatak::Error&) {
  }
  return 0;
}
