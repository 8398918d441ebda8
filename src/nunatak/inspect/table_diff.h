#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "nunatak/base/export.h"
#include "nunatak/iceberg/manifest_cache.h"
#include "nunatak/iceberg/snapshot_choice.h"
#include "nunatak/iceberg/table.h"

namespace nunatak {

/// One side of a comparison: a snapshot of a table, and what the table's metadata said.
struct DiffSide {
  const iceberg::Table* table = nullptr;
  iceberg::ChosenSnapshot snapshot;
  /// Whose definitions count, and the file that has them; null for the table's own.
  std::shared_ptr<const iceberg::TableMetadata> definitions = nullptr;
  std::string metadata_file = {};
  /// Why the definitions of then are not known, where they are not.
  std::string unknown = {};
};

/// Two snapshots of one table, with what its metadata said when each was committed, as far as that
/// can still be read; of the current snapshot, with what it says now.
NUNATAK_EXPORT std::pair<DiffSide, DiffSide> DiffSidesOf(const iceberg::Table& table,
                                                         const iceberg::ChosenSnapshot& from,
                                                         const iceberg::ChosenSnapshot& to);

struct DiffOptions {
  /// Only the sums, without a list of the manifests and files.
  bool summary = false;
  /// Null for none.
  iceberg::ManifestCache* cache = nullptr;
};

/// What is different on two sides, as `nunatak diff --format json` prints it (docs/diff.md):
/// schema, identifier fields, partition spec, sort order, properties, format version, refs,
/// snapshots, and of the two snapshots the manifests and files. Reads the manifests that one side
/// alone has. Rows are counted as files count them, before deletes. Of two versions of the
/// metadata, files that cannot be read any more leave manifests and files null, and "unknown" says
/// why; otherwise that is an error. Where what the metadata said is not known any more,
/// "definitions_unknown" says why, and nothing is different in it.
NUNATAK_EXPORT nlohmann::ordered_json TableDiff(const DiffSide& from, const DiffSide& to,
                                                const DiffOptions& options = {});

/// The same for people.
NUNATAK_EXPORT std::string DiffText(const nlohmann::ordered_json& diff);

}  // namespace nunatak
