#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "nunatak/base/export.h"
#include "nunatak/iceberg/table.h"

namespace nunatak {

struct TreeOptions {
  /// The snapshot that is shown; null for none.
  const iceberg::Snapshot* snapshot = nullptr;
  /// Show every snapshot of the table instead, the oldest first.
  bool all_snapshots = false;
  /// How many layers are shown: 1 the metadata file, 2 snapshots, 3 manifests, 4 files. Nothing
  /// below is read.
  int depth = 4;
};

/// The pointer and the four layers, as `nunatak tree --format json` prints them: metadata file →
/// snapshots (manifest lists) → manifests → files, with sizes and counts. A manifest that several
/// of the snapshots have stands below the first of them, whose id the others name as
/// `shared_with`. As large in memory as what it shows.
NUNATAK_EXPORT nlohmann::ordered_json TableTree(const iceberg::Table& table,
                                                const TreeOptions& options);

/// The same tree drawn with lines, for people.
NUNATAK_EXPORT std::string TreeText(const nlohmann::ordered_json& tree);

}  // namespace nunatak
