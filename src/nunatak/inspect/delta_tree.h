#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/delta/snapshot.h"
#include "nunatak/delta/table.h"

namespace nunatak {

/// A version of a Delta table, the parts of the log that hold its files, and the files, as `nunatak
/// tree --format json` prints them; `depth` is 1 for the version alone, 2 with parts, 3 with files.
NUNATAK_EXPORT nlohmann::ordered_json DeltaTree(const delta::Table& table,
                                                const delta::Snapshot& snapshot,
                                                const Context& context, int depth);

/// The same tree drawn with lines.
NUNATAK_EXPORT std::string DeltaTreeText(const nlohmann::ordered_json& tree);

}  // namespace nunatak
