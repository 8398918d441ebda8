#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/iceberg/manifest.h"
#include "nunatak/iceberg/table.h"

namespace nunatak {

/// A metadata table: its column names, and its rows as JSON objects with those keys, in that order.
/// Names, values and types are those of the Java implementation's metadata tables; timestamps are
/// ISO text in UTC, binary is upper-case hex, maps are objects.
struct NUNATAK_EXPORT MetadataRows {
  using Sink = std::function<void(const nlohmann::ordered_json& row)>;

  std::vector<std::string> columns;
  /// Produces the rows one by one; throws what reading the table's files throws. Valid as long as
  /// the table.
  std::function<void(const Sink& sink)> produce;
};

NUNATAK_EXPORT MetadataRows SnapshotRows(const iceberg::Table& table);
NUNATAK_EXPORT MetadataRows HistoryRows(const iceberg::Table& table);
NUNATAK_EXPORT MetadataRows RefRows(const iceberg::Table& table);
/// One row per metadata file of the log, the current one last: how many files of each kind its
/// commit added, and how many there are by then.
NUNATAK_EXPORT MetadataRows CommitFileRows(const iceberg::Table& table);

/// The manifests of one snapshot; a null snapshot has no rows.
NUNATAK_EXPORT MetadataRows ManifestRows(const iceberg::Table& table,
                                         const iceberg::Snapshot* snapshot);
/// The live data and delete files of one snapshot.
NUNATAK_EXPORT MetadataRows FileRows(const iceberg::Table& table,
                                     const iceberg::Snapshot* snapshot);
/// The manifest entries of one snapshot, DELETED ones included.
NUNATAK_EXPORT MetadataRows EntryRows(const iceberg::Table& table,
                                      const iceberg::Snapshot* snapshot);

}  // namespace nunatak
