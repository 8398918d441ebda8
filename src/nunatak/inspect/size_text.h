#pragma once

#include <cstdint>
#include <string>

#include "nunatak/base/export.h"

namespace nunatak {

/// A number of bytes as people read it: "512 B", "4.1 KiB", "1.5 GiB".
NUNATAK_EXPORT std::string SizeText(int64_t bytes);

}  // namespace nunatak
