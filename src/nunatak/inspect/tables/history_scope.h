#pragma once

#include <cstdint>
#include <optional>
#include <set>

#include "nunatak/inspect/metadata_table.h"

namespace nunatak {

/// Which snapshots a table about snapshots shows.
class HistoryScope {
 public:
  HistoryScope(const iceberg::TableMetadata& metadata, const MetadataScope& scope) {
    if (scope.history_only) ids_ = metadata.AncestorIds(scope.snapshot);
  }

  bool has(int64_t snapshot_id) const { return !ids_ || ids_->contains(snapshot_id); }
  /// A row without a snapshot belongs to no history.
  bool has(const std::optional<int64_t>& snapshot_id) const {
    return !ids_ || (snapshot_id && ids_->contains(*snapshot_id));
  }

 private:
  std::optional<std::set<int64_t>> ids_;
};

}  // namespace nunatak
