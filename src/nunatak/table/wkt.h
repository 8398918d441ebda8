#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "nunatak/base/bytes.h"
#include "nunatak/base/export.h"

namespace nunatak {

/// Geometries of the Simple Features standard (specification, Appendix G): binary in files, text in
/// JSON. ISO forms: points, line strings, polygons, their collections, with X Y and optional Z and
/// M.

/// Well-known text such as "POINT Z (30 10 5)"; nullopt when `wkb` is not one whole geometry.
NUNATAK_EXPORT std::optional<std::string> WktFromWkb(ByteSpan wkb);

/// Little-endian well-known binary; nullopt when `wkt` is not one whole geometry.
NUNATAK_EXPORT std::optional<std::string> WkbFromWkt(std::string_view wkt);

}  // namespace nunatak
