#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/iceberg/manifest_cache.h"
#include "nunatak/open/open_table.h"
#include "nunatak/plan/snapshot_source.h"
#include "nunatak/plan/splits.h"
#include "nunatak/read/read_request.h"
#include "nunatak/table/partition_spec.h"

namespace nunatak {

struct ScanInputOptions {
  /// Keeps Iceberg's decoded manifests; may be null.
  std::shared_ptr<iceberg::ManifestCache> cache = nullptr;
  /// Only what appends added after this snapshot, by any of its names ("-": all appends).
  std::optional<std::string> since;
};

/// All that planning and reading a table needs to know of it, whichever its format.
struct ScanInput {
  std::shared_ptr<const SnapshotSource> source;
  /// How the files are read: `request.schema` is the source's schema with the metadata columns, to
  /// which filters are bound, and `request.projection` the source's schema.
  ReadRequest request;
  /// How the table is partitioned now.
  PartitionSpec spec;
  /// The table's properties, as `SplitOptions` asks for them.
  SplitOptions::FindProperty find_property;
  /// What holds the files, as people call it: "manifests", "directories".
  std::string_view group_nouns;
  /// What finding the files took so far beside requests for an index: ("list calls", 20) …; null
  /// where there is no such thing.
  std::function<std::vector<std::pair<std::string_view, int64_t>>()> reads;
  /// How many data files there are in all, if that is known without planning.
  std::optional<int64_t> total_files;
};

/// Throws `ErrorCode::kUnsupported` for an append scan of a format that has none.
NUNATAK_EXPORT ScanInput MakeScanInput(const OpenedTable& opened,
                                       const ScanInputOptions& options = {});

/// The live files of an Iceberg or Delta table's version, or every file that a directory lists,
/// also those that have no rows and that a scan need not open.
NUNATAK_EXPORT std::shared_ptr<const SnapshotSource> ListedFiles(const OpenedTable& opened);

/// A schema of an Iceberg table with the metadata columns.
NUNATAK_EXPORT Schema WithMetadataColumns(const iceberg::TableMetadata& metadata,
                                          const Schema& schema);

/// How the files of an Iceberg table are read as `schema`.
NUNATAK_EXPORT ReadRequest RequestFor(std::shared_ptr<const iceberg::TableMetadata> metadata,
                                      Schema schema, Schema projection);

}  // namespace nunatak
