#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/iceberg/lazy_list.h"
#include "nunatak/iceberg/snapshots.h"
#include "nunatak/table/partition_spec.h"
#include "nunatak/table/schema.h"
#include "nunatak/table/sort_order.h"

namespace nunatak::iceberg {

/// The newest version of the table format that this build reads.
inline constexpr int kMaxFormatVersion = 3;
/// The branch whose head is the current snapshot.
inline constexpr std::string_view kMainBranch = "main";

/// A branch or a tag, with its retention (specification, "Snapshot References").
struct NUNATAK_EXPORT SnapshotRef {
  enum class Type : uint8_t { kBranch, kTag };

  int64_t snapshot_id = 0;
  Type type = Type::kBranch;
  std::optional<int32_t> min_snapshots_to_keep;
  std::optional<int64_t> max_snapshot_age_ms;
  std::optional<int64_t> max_ref_age_ms;

  bool is_branch() const { return type == Type::kBranch; }
  friend bool operator==(const SnapshotRef&, const SnapshotRef&) = default;
};

/// "At this time, that snapshot became the current one." The snapshot may have expired since.
struct SnapshotLogEntry {
  int64_t timestamp_ms = 0;
  int64_t snapshot_id = 0;
  friend bool operator==(const SnapshotLogEntry&, const SnapshotLogEntry&) = default;
};

/// An earlier metadata file of the table; it may have been deleted since.
struct MetadataLogEntry {
  int64_t timestamp_ms = 0;
  std::string metadata_file;
  friend bool operator==(const MetadataLogEntry&, const MetadataLogEntry&) = default;
};

/// What table metadata says of one blob of a statistics file.
struct StatisticsBlob {
  std::string type;
  int64_t snapshot_id = 0;
  int64_t sequence_number = 0;
  std::vector<int32_t> fields;
  StringMap properties;
  friend bool operator==(const StatisticsBlob&, const StatisticsBlob&) = default;
};

/// A Puffin file of statistics (specification, "Table Statistics"); readers may ignore it.
struct StatisticsFile {
  int64_t snapshot_id = 0;
  std::string statistics_path;
  int64_t file_size_in_bytes = 0;
  int64_t file_footer_size_in_bytes = 0;
  /// Base64, as recorded.
  std::optional<std::string> key_metadata;
  std::vector<StatisticsBlob> blob_metadata;
  friend bool operator==(const StatisticsFile&, const StatisticsFile&) = default;
};

/// A file of statistics per partition (specification, "Partition Statistics").
struct PartitionStatisticsFile {
  int64_t snapshot_id = 0;
  std::string statistics_path;
  int64_t file_size_in_bytes = 0;
  friend bool operator==(const PartitionStatisticsFile&, const PartitionStatisticsFile&) = default;
};

/// One version of a table's definitions (specification, "Table Metadata"), of format version 1, 2
/// or 3; what only version 1 spells differently is already in the form of the later ones. Parsed
/// once (metadata_json.h), then immutable and shared. Lists keep the order of the file.
///
/// The parser guarantees: ids are unique within each list; `current_schema_id`, `default_spec_id`
/// and `default_sort_order_id` exist; `current_snapshot_id` and every ref exist in `snapshots`; and
/// `refs` has the branch "main" exactly when there is a current snapshot, pointing to it.
struct NUNATAK_EXPORT TableMetadata {
  int format_version = 0;
  /// Version 1 may lack it.
  std::optional<std::string> table_uuid;
  /// The base location, as recorded.
  std::string location;
  int64_t last_sequence_number = 0;
  int64_t last_updated_ms = 0;
  int32_t last_column_id = 0;
  LazyList<Schema> schemas;
  int32_t current_schema_id = 0;
  std::vector<PartitionSpec> partition_specs;
  int32_t default_spec_id = 0;
  int32_t last_partition_id = 0;
  StringMap properties;
  /// Absent for a table without a snapshot.
  std::optional<int64_t> current_snapshot_id;
  Snapshots snapshots;
  /// Not necessarily sorted by time.
  std::vector<SnapshotLogEntry> snapshot_log;
  std::vector<MetadataLogEntry> metadata_log;
  /// Orders other than the default may name columns that the schema no longer has.
  std::vector<SortOrder> sort_orders;
  int32_t default_sort_order_id = 0;
  std::map<std::string, SnapshotRef> refs;
  std::vector<StatisticsFile> statistics;
  std::vector<PartitionStatisticsFile> partition_statistics;
  /// 0 before version 3.
  int64_t next_row_id = 0;

  const Schema& current_schema() const;
  const PartitionSpec& default_spec() const;
  const SortOrder& default_sort_order() const;
  /// Null for a table without a snapshot.
  const Snapshot* current_snapshot() const;

  /// A snapshot and its ancestors, as far as the table still has them; empty for null.
  std::set<int64_t> AncestorIds(const Snapshot* snapshot) const;

  /// Each is null when there is none of that id or name; valid as long as this metadata. Schemas
  /// and snapshots are decoded when they are first asked for.
  const Snapshot* FindSnapshot(int64_t snapshot_id) const;
  const Schema* FindSchema(int32_t schema_id) const;
  const PartitionSpec* FindSpec(int32_t spec_id) const;
  const SortOrder* FindSortOrder(int32_t order_id) const;
  const SnapshotRef* FindRef(std::string_view name) const;
  /// A table property; nullopt when it is not set.
  std::optional<std::string_view> FindProperty(std::string_view key) const;
};

}  // namespace nunatak::iceberg
