#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "nunatak/iceberg/manifest_columns.h"

namespace nunatak::iceberg {

/// The image of a decoded manifest (`manifest_image.h`), all of its columns. Throws what making its
/// `DataFile`s throws, and `ErrorCode::kUnsupported` when its metrics are so scattered that columns
/// of them would be much larger than they are. Allocates at most 128 times what they take.
std::string WriteManifestImage(std::string_view key, const ManifestColumns& columns);

}  // namespace nunatak::iceberg
