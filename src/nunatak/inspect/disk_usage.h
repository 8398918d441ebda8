#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/iceberg/table.h"

namespace nunatak {

// Where a table's bytes are: sizes as the table records them; those of metadata files and manifest
// lists, which it does not record, are asked of the storage. Only what a snapshot, the metadata log
// or the statistics refer to is counted, each file once.

struct UsageOfKind {
  /// "data", "position deletes", "deletion vectors", "equality deletes", "manifests", "manifest
  /// lists", "statistics", "partition statistics", "metadata".
  std::string_view kind;
  int64_t files = 0;
  int64_t bytes = 0;
};

struct UsageOfSnapshot {
  int64_t snapshot_id = 0;
  /// Milliseconds since 1970-01-01 UTC.
  int64_t timestamp_ms = 0;
  std::optional<std::string> operation;
  /// Manifest list, manifests, live data and delete files.
  int64_t files = 0;
  int64_t bytes = 0;
  /// Of these, what no other snapshot has: what expiring this one alone would free.
  int64_t unique_files = 0;
  int64_t unique_bytes = 0;
};

struct UsageOfPartition {
  int32_t spec_id = 0;
  /// "country=US/day=2026-06-01"; empty without partition fields.
  std::string partition;
  int64_t data_files = 0;
  int64_t data_bytes = 0;
  int64_t records = 0;
  int64_t delete_files = 0;
  int64_t delete_bytes = 0;
};

struct UsageOfColumn {
  int32_t field_id = 0;
  std::string column;
  /// The data files whose manifest entry has a size of the column.
  int64_t files = 0;
  int64_t bytes = 0;
};

/// All files that the table refers to, by what they are; every kind comes, in the order above.
NUNATAK_EXPORT std::vector<UsageOfKind> UsageByKind(const iceberg::Table& table,
                                                    const Context& context);
/// Every snapshot, in the order of the metadata file.
NUNATAK_EXPORT std::vector<UsageOfSnapshot> UsageBySnapshot(const iceberg::Table& table,
                                                            const Context& context);
/// The live files of a snapshot, the largest partition first. A deletion vector counts as its blob.
NUNATAK_EXPORT std::vector<UsageOfPartition> UsageByPartition(const iceberg::Table& table,
                                                              const Context& context,
                                                              const iceberg::Snapshot* snapshot);
/// The columns of a snapshot's live data files by their `column_sizes`, the largest first. A column
/// that was dropped since has the name that it had last.
NUNATAK_EXPORT std::vector<UsageOfColumn> UsageByColumn(const iceberg::Table& table,
                                                        const Context& context,
                                                        const iceberg::Snapshot* snapshot);

}  // namespace nunatak
