#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/expr/expr.h"
#include "nunatak/iceberg/manifest_cache.h"
#include "nunatak/iceberg/snapshot_choice.h"
#include "nunatak/iceberg/table.h"
#include "nunatak/read/read_request.h"

namespace nunatak {

/// A row as it was from one snapshot to another.
struct RowVersion {
  /// The table's columns.
  nlohmann::ordered_json row = nlohmann::ordered_json::object();
  /// `_row_id`; null before version 3.
  std::optional<int64_t> row_id;
  /// Which snapshot wrote it so; null when that was before the oldest that the table still has, or
  /// before the row had an id by which it was asked for. Valid as long as the metadata.
  const iceberg::Snapshot* written = nullptr;
  /// Which snapshot deleted it or wrote it anew; null when it is still there.
  const iceberg::Snapshot* removed = nullptr;
};

struct RowHistoryRequest {
  /// Up to this snapshot, and with its schema.
  iceberg::ChosenSnapshot last;
  /// `schema` is the last snapshot's, with the metadata columns.
  ReadRequest read;
  /// Which rows: a filter over the table's own columns, the same in all versions of a row, or over
  /// `_row_id`.
  Expr which;
  /// Whether `which` is over `_row_id`: then rows are told apart by it.
  bool by_row_id = false;
  bool case_sensitive = true;
  std::shared_ptr<iceberg::ManifestCache> cache = nullptr;
};

/// All versions of some rows in a snapshot and its ancestors, in the order in which they were
/// written. Files that cannot hold such a row, by their partitions and bounds, are not opened. The
/// versions are held in memory. Throws what `ChangeReader` throws.
NUNATAK_EXPORT std::vector<RowVersion> ReadRowHistory(const iceberg::Table& table,
                                                      const Context& context,
                                                      const RowHistoryRequest& request);

}  // namespace nunatak
