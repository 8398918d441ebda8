#pragma once

#include <string>
#include <string_view>

#include "nunatak/base/export.h"

namespace nunatak::delta {

/// The path that an action records as a URI, with its percent sequences decoded once; what is no
/// sequence is kept as it is. The result may still hold percent signs that are part of a name.
NUNATAK_EXPORT std::string DecodePath(std::string_view path);

/// The location of a decoded path: below the table's, unless it is absolute.
NUNATAK_EXPORT std::string ResolvePath(std::string_view root, std::string_view decoded);

}  // namespace nunatak::delta
