#include "nunatak/inspect/tables/history_tables.h"

#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "nunatak/iceberg/iceberg_source.h"
#include "nunatak/inspect/tables/history_scope.h"
#include "nunatak/inspect/tables/row_values.h"

namespace nunatak {

namespace {

using iceberg::TableMetadata;

/// A table whose rows come from the metadata file alone.
MetadataTable OfMetadata(std::vector<Field> fields, const iceberg::Table& table,
                         const MetadataScope& scope,
                         void (*produce)(const TableMetadata&, const HistoryScope&, RowBuilder&)) {
  return {.schema = Schema(0, std::move(fields)),
          .produce = [metadata = table.metadata, history = HistoryScope(*table.metadata, scope),
                      produce](size_t, RowBuilder& rows) { produce(*metadata, history, rows); }};
}

void AddSnapshots(const TableMetadata& metadata, const HistoryScope& history, RowBuilder& rows) {
  for (const iceberg::Snapshot& s : metadata.snapshots) {
    if (!history.has(s.snapshot_id)) continue;
    rows.Add({TimestampOf(s.timestamp_ms), Value::Integer(s.snapshot_id),
              IntegerOrNull(s.parent_snapshot_id), BytesOrNull(s.operation),
              BytesOrNull(s.manifest_list), MapValue(s.summary)});
  }
}

void AddHistory(const TableMetadata& metadata, const HistoryScope& history, RowBuilder& rows) {
  const std::set<int64_t> current = metadata.AncestorIds(metadata.current_snapshot());
  for (const iceberg::SnapshotLogEntry& entry : metadata.snapshot_log) {
    if (!history.has(entry.snapshot_id)) continue;
    rows.Add({TimestampOf(entry.timestamp_ms), Value::Integer(entry.snapshot_id),
              IntegerOrNull(metadata.snapshots.ParentOf(entry.snapshot_id)),
              Value::Integer(current.contains(entry.snapshot_id) ? 1 : 0)});
  }
}

void AddRefs(const TableMetadata& metadata, const HistoryScope& history, RowBuilder& rows) {
  for (const auto& [name, ref] : metadata.refs) {
    if (!history.has(ref.snapshot_id)) continue;
    rows.Add({Value::Bytes(name), Value::Bytes(ref.is_branch() ? "BRANCH" : "TAG"),
              Value::Integer(ref.snapshot_id), IntegerOrNull(ref.max_ref_age_ms),
              IntegerOrNull(ref.min_snapshots_to_keep), IntegerOrNull(ref.max_snapshot_age_ms)});
  }
}

/// The metadata files of the log, and the current one.
std::vector<iceberg::MetadataLogEntry> MetadataFiles(const iceberg::Table& table) {
  std::vector<iceberg::MetadataLogEntry> files = table.metadata->metadata_log;
  files.push_back({table.metadata->last_updated_ms, table.metadata_location});
  return files;
}

/// The snapshot that was current at a time, by the snapshot log; null when none was, or when the
/// table has it no more.
const iceberg::Snapshot* CurrentAt(const TableMetadata& metadata, int64_t timestamp_ms) {
  std::optional<int64_t> id;
  for (const iceberg::SnapshotLogEntry& entry : metadata.snapshot_log) {
    if (entry.timestamp_ms <= timestamp_ms) id = entry.snapshot_id;
  }
  return id ? metadata.FindSnapshot(*id) : nullptr;
}

}  // namespace

MetadataTable SnapshotsTable(const iceberg::Table& table, const MetadataScope& scope) {
  return OfMetadata(
      {RequiredField(1, "committed_at", TypeId::kTimestampTz),
       RequiredField(2, "snapshot_id", TypeId::kLong), OptionalField(3, "parent_id", TypeId::kLong),
       OptionalField(4, "operation", TypeId::kString),
       OptionalField(5, "manifest_list", TypeId::kString),
       OptionalField(6, "summary", StringMapType(7, 8))},
      table, scope, AddSnapshots);
}

MetadataTable HistoryTable(const iceberg::Table& table, const MetadataScope& scope) {
  return OfMetadata(
      {RequiredField(1, "made_current_at", TypeId::kTimestampTz),
       RequiredField(2, "snapshot_id", TypeId::kLong), OptionalField(3, "parent_id", TypeId::kLong),
       RequiredField(4, "is_current_ancestor", TypeId::kBoolean)},
      table, scope, AddHistory);
}

MetadataTable RefsTable(const iceberg::Table& table, const MetadataScope& scope) {
  return OfMetadata(
      {RequiredField(1, "name", TypeId::kString), RequiredField(2, "type", TypeId::kString),
       RequiredField(3, "snapshot_id", TypeId::kLong),
       OptionalField(4, "max_reference_age_in_ms", TypeId::kLong),
       OptionalField(5, "min_snapshots_to_keep", TypeId::kInt),
       OptionalField(6, "max_snapshot_age_in_ms", TypeId::kLong)},
      table, scope, AddRefs);
}

MetadataTable MetadataLogEntriesTable(const iceberg::Table& table, const MetadataScope& scope) {
  Schema schema(0, {RequiredField(1, "timestamp", TypeId::kTimestampTz),
                    RequiredField(2, "file", TypeId::kString),
                    OptionalField(3, "latest_snapshot_id", TypeId::kLong),
                    OptionalField(4, "latest_schema_id", TypeId::kInt),
                    OptionalField(5, "latest_sequence_number", TypeId::kLong)});
  return {
      .schema = std::move(schema),
      .produce = [table, history = HistoryScope(*table.metadata, scope)](size_t, RowBuilder& rows) {
        for (const iceberg::MetadataLogEntry& file : MetadataFiles(table)) {
          const iceberg::Snapshot* latest = CurrentAt(*table.metadata, file.timestamp_ms);
          std::optional<int64_t> id;
          if (latest) id = latest->snapshot_id;
          if (!history.has(id)) continue;
          rows.Add({TimestampOf(file.timestamp_ms), Value::Bytes(file.metadata_file),
                    IntegerOrNull(id), latest ? IntegerOrNull(latest->schema_id) : Value(),
                    latest ? Value::Integer(latest->sequence_number) : Value()});
        }
      }};
}

namespace {

struct FileCounts {
  int64_t metadata_files = 1;
  int64_t manifest_lists = 0;
  int64_t manifests = 0;
  int64_t data_files = 0;
  int64_t delete_files = 0;

  int64_t sum() const {
    return metadata_files + manifest_lists + manifests + data_files + delete_files;
  }
};

/// Adds what the commit of a snapshot wrote.
void AddSnapshotFiles(const iceberg::Table& table, const iceberg::Snapshot& snapshot,
                      FileCounts* counts) {
  if (snapshot.manifest_list) ++counts->manifest_lists;
  for (const iceberg::ManifestFile& file : iceberg::ReadManifests(table, &snapshot)) {
    if (file.added_snapshot_id != snapshot.snapshot_id) continue;
    ++counts->manifests;
    const iceberg::Manifest manifest =
        iceberg::ReadManifest(table, file, nullptr, {.column_metrics = false});
    for (const iceberg::ManifestEntry& entry : manifest.entries) {
      const bool added =
          entry.status == iceberg::EntryStatus::kAdded && entry.snapshot_id == snapshot.snapshot_id;
      if (added) ++(entry.data_file.is_data() ? counts->data_files : counts->delete_files);
    }
  }
}

void AddCommitFiles(const iceberg::Table& table, const HistoryScope& history, RowBuilder& rows) {
  const iceberg::Snapshots& snapshots = table.metadata->snapshots;
  std::vector<size_t> uncounted(snapshots.size());
  std::iota(uncounted.begin(), uncounted.end(), 0);
  int64_t total = 0;
  for (const iceberg::MetadataLogEntry& file : MetadataFiles(table)) {
    FileCounts counts;
    std::optional<int64_t> last;
    std::erase_if(uncounted, [&](size_t i) {
      if (snapshots.timestamp_ms(i) > file.timestamp_ms) return false;
      AddSnapshotFiles(table, snapshots.At(i), &counts);
      last = snapshots.id(i);
      return true;
    });
    total += counts.sum();
    if (!history.has(last)) continue;
    rows.Add({TimestampOf(file.timestamp_ms), Value::Bytes(file.metadata_file), IntegerOrNull(last),
              Value::Integer(counts.metadata_files), Value::Integer(counts.manifest_lists),
              Value::Integer(counts.manifests), Value::Integer(counts.data_files),
              Value::Integer(counts.delete_files), Value::Integer(total)});
  }
}

}  // namespace

MetadataTable CommitFilesTable(const iceberg::Table& table, const MetadataScope& scope) {
  Schema schema(0, {RequiredField(1, "committed_at", TypeId::kTimestampTz),
                    RequiredField(2, "metadata_file", TypeId::kString),
                    OptionalField(3, "snapshot_id", TypeId::kLong),
                    RequiredField(4, "metadata_files", TypeId::kLong),
                    RequiredField(5, "manifest_lists", TypeId::kLong),
                    RequiredField(6, "manifests", TypeId::kLong),
                    RequiredField(7, "data_files", TypeId::kLong),
                    RequiredField(8, "delete_files", TypeId::kLong),
                    RequiredField(9, "total_files", TypeId::kLong)});
  return {.schema = std::move(schema),
          .produce = [table, history = HistoryScope(*table.metadata, scope)](
                         size_t, RowBuilder& rows) { AddCommitFiles(table, history, rows); }};
}

}  // namespace nunatak
