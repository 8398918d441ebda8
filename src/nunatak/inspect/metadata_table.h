#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "nunatak/base/export.h"
#include "nunatak/iceberg/snapshots.h"
#include "nunatak/iceberg/table.h"
#include "nunatak/inspect/metadata_rows.h"
#include "nunatak/inspect/row_builder.h"
#include "nunatak/table/schema.h"

namespace nunatak {

/// Of what a metadata table has its rows.
struct MetadataScope {
  /// The chosen snapshot; null for a table without one.
  const iceberg::Snapshot* snapshot = nullptr;
  /// Whether rows about snapshots are limited to the chosen one and its ancestors.
  bool history_only = false;
};

/// A metadata table, ready to be read (metadata_table_reader.h): its columns, and how its rows are
/// made, part by part. Valid as long as the table that it is of.
struct MetadataTable {
  Schema schema;
  size_t parts = 1;
  /// Waits for what a part needs of storage, and computes nothing; null when nothing waits.
  std::function<void(size_t part)> fetch = nullptr;
  /// About how many bytes a part holds from when it is fetched until its rows were taken; null when
  /// that is next to nothing.
  std::function<int64_t(size_t part)> bytes = nullptr;
  /// Makes the rows of a part. Several parts may be made at once; theirs come out in order.
  std::function<void(size_t part, RowBuilder& rows)> produce = nullptr;
  /// In place of `produce`, for rows that are more than a few or dear to make: begins with a part,
  /// of which some `columns` (fields of the schema, possibly pruned) will be asked for.
  std::function<MetadataRowStream(size_t part, std::span<const Field> columns)> open = nullptr;
  /// Called for each part, one after the other and in order, once it is made; may be null.
  std::function<void(size_t part)> collect = nullptr;
  /// The rows that come after those of all parts; may be null.
  std::function<void(RowBuilder& rows)> finish = nullptr;
};

/// One of the metadata tables that every Iceberg table has. Names, columns, types, field ids and
/// values are those of the Java implementation; `commit_files`, `statistics_files` and
/// `partition_statistics_files`, which it lacks, are described in docs/metadata-tables.md.
struct MetadataTableKind {
  std::string_view name;
  std::string_view description;
  MetadataTable (*make)(const iceberg::Table& table, const MetadataScope& scope);
};

NUNATAK_EXPORT std::span<const MetadataTableKind> MetadataTableKinds();
/// The kind of that name, such as "all_data_files". Throws `ErrorCode::kUsage` for any other.
NUNATAK_EXPORT const MetadataTableKind& FindMetadataTable(std::string_view name);

}  // namespace nunatak
