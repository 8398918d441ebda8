#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/plan/file_batch.h"

namespace nunatak {

/// Some files of a batch as a batch of their own: `positions` are theirs in `batch`, ascending.
NUNATAK_EXPORT std::shared_ptr<const FileBatch> SubsetOf(std::shared_ptr<const FileBatch> batch,
                                                         std::vector<uint32_t> positions);

}  // namespace nunatak
