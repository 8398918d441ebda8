#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "nunatak/base/export.h"
#include "nunatak/iceberg/table.h"

namespace nunatak {

/// The pointer and the four layers of one snapshot, as `nunatak tree --format json` prints them:
/// metadata file → snapshot (manifest list) → manifests → files, with sizes and counts.
NUNATAK_EXPORT nlohmann::ordered_json TableTree(const iceberg::Table& table,
                                                const iceberg::Snapshot* snapshot);

/// The same tree drawn with lines, for people.
NUNATAK_EXPORT std::string TreeText(const nlohmann::ordered_json& tree);

}  // namespace nunatak
