#include "nunatak/inspect/tables/partitions_table.h"

#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "nunatak/iceberg/partition_types.h"
#include "nunatak/inspect/tables/manifest_parts.h"
#include "nunatak/inspect/tables/row_values.h"

namespace nunatak {

namespace {

using iceberg::ManifestEntry;

struct PartitionTotals {
  int32_t spec_id = 0;
  int64_t record_count = 0;
  int64_t file_count = 0;
  int64_t data_file_bytes = 0;
  int64_t position_delete_records = 0;
  int64_t position_delete_files = 0;
  int64_t equality_delete_records = 0;
  int64_t equality_delete_files = 0;
  std::optional<int64_t> updated_at_ms;
  std::optional<int64_t> updated_by;

  void Add(const DataFile& file);
  void NoteUpdate(int64_t timestamp_ms, int64_t snapshot_id);
  void Merge(const PartitionTotals& later);
};

void PartitionTotals::Add(const DataFile& file) {
  spec_id = file.partition_spec_id;
  switch (file.content) {
    case FileContent::kData:
      record_count += file.record_count;
      ++file_count;
      data_file_bytes += file.file_size_in_bytes;
      break;
    case FileContent::kPositionDeletes:
      position_delete_records += file.record_count;
      ++position_delete_files;
      break;
    case FileContent::kEqualityDeletes:
      equality_delete_records += file.record_count;
      ++equality_delete_files;
      break;
  }
}

void PartitionTotals::NoteUpdate(int64_t timestamp_ms, int64_t snapshot_id) {
  if (updated_at_ms && timestamp_ms <= *updated_at_ms) return;
  updated_at_ms = timestamp_ms;
  updated_by = snapshot_id;
}

void PartitionTotals::Merge(const PartitionTotals& later) {
  spec_id = later.spec_id;
  record_count += later.record_count;
  file_count += later.file_count;
  data_file_bytes += later.data_file_bytes;
  position_delete_records += later.position_delete_records;
  position_delete_files += later.position_delete_files;
  equality_delete_records += later.equality_delete_records;
  equality_delete_files += later.equality_delete_files;
  if (later.updated_at_ms) NoteUpdate(*later.updated_at_ms, *later.updated_by);
}

int CompareNullable(const Value& a, const Value& b) {
  if (a.is_null() || b.is_null()) return (a.is_null() ? 0 : 1) - (b.is_null() ? 0 : 1);
  if (const int order = CompareValues(a.view(), b.view()); order != 0) return order;
  // Zeros of either sign are partitions of their own.
  if (a.view().kind != ValueView::Kind::kReal) return 0;
  return (std::signbit(b.real()) ? 1 : 0) - (std::signbit(a.real()) ? 1 : 0);
}

/// Orders tuples of the merged partition type: nulls first, then by value.
struct TupleLess {
  bool operator()(const Value& a, const Value& b) const {
    for (size_t i = 0; i < a.list().size(); ++i) {
      const int order = CompareNullable(a.list()[i], b.list()[i]);
      if (order != 0) return order < 0;
    }
    return false;
  }
};

using Partitions = std::map<Value, PartitionTotals, TupleLess>;

/// The partitions of a snapshot, gathered manifest by manifest.
class PartitionRows {
 public:
  PartitionRows(const iceberg::Table& table, const MetadataScope& scope)
      : table_(table),
        merged_(iceberg::MergedPartitionsOf(*table.metadata)),
        manifests_(SnapshotManifests(table, scope.snapshot)),
        gathered_(manifests_.size()) {}

  bool partitioned() const { return !merged_.type().fields().empty(); }
  const Type& partition_type() const { return merged_.type(); }
  const ManifestParts& manifests() const { return manifests_; }

  void Gather(size_t part);
  void Collect(size_t part);
  void Finish(RowBuilder& rows) const;

 private:
  iceberg::Table table_;
  MergedPartitions merged_;
  ManifestParts manifests_;
  /// Of each manifest, until it is collected.
  std::vector<Partitions> gathered_;
  Partitions partitions_;
};

void PartitionRows::Gather(size_t part) {
  const iceberg::Manifest manifest = manifests_.Read(part, /*column_metrics=*/false);
  for (const ManifestEntry& entry : manifest.entries) {
    if (!entry.is_live()) continue;
    const DataFile& file = entry.data_file;
    PartitionTotals& totals =
        gathered_[part][merged_.Project(manifest.partition_spec, file.partition.span())];
    totals.Add(file);
    if (!entry.snapshot_id) continue;
    const iceberg::Snapshot* snapshot = table_.metadata->FindSnapshot(*entry.snapshot_id);
    if (snapshot) totals.NoteUpdate(snapshot->timestamp_ms, snapshot->snapshot_id);
  }
}

void PartitionRows::Collect(size_t part) {
  for (const auto& [tuple, totals] : std::exchange(gathered_[part], {})) {
    partitions_[tuple].Merge(totals);
  }
}

void PartitionRows::Finish(RowBuilder& rows) const {
  for (const auto& [tuple, totals] : partitions_) {
    Value::List row;
    if (partitioned()) row = {tuple, Value::Integer(totals.spec_id)};
    for (const int64_t number : {totals.record_count, totals.file_count, totals.data_file_bytes,
                                 totals.position_delete_records, totals.position_delete_files,
                                 totals.equality_delete_records, totals.equality_delete_files}) {
      row.push_back(Value::Integer(number));
    }
    row.push_back(totals.updated_at_ms ? TimestampOf(*totals.updated_at_ms) : Value::Null());
    row.push_back(IntegerOrNull(totals.updated_by));
    rows.Add(row);
  }
}

Schema PartitionsSchema(const PartitionRows& partitions) {
  std::vector<Field> fields;
  if (partitions.partitioned()) {
    fields = {RequiredField(1, "partition", partitions.partition_type()),
              RequiredField(4, "spec_id", TypeId::kInt)};
  }
  const std::vector<Field> totals = {
      RequiredField(2, "record_count", TypeId::kLong),
      RequiredField(3, "file_count", TypeId::kInt),
      RequiredField(11, "total_data_file_size_in_bytes", TypeId::kLong),
      RequiredField(5, "position_delete_record_count", TypeId::kLong),
      RequiredField(6, "position_delete_file_count", TypeId::kInt),
      RequiredField(7, "equality_delete_record_count", TypeId::kLong),
      RequiredField(8, "equality_delete_file_count", TypeId::kInt),
      OptionalField(9, "last_updated_at", TypeId::kTimestampTz),
      OptionalField(10, "last_updated_snapshot_id", TypeId::kLong)};
  fields.insert(fields.end(), totals.begin(), totals.end());
  return Schema(0, std::move(fields));
}

}  // namespace

MetadataTable PartitionsTable(const iceberg::Table& table, const MetadataScope& scope) {
  const auto partitions = std::make_shared<PartitionRows>(table, scope);
  return {.schema = PartitionsSchema(*partitions),
          .parts = partitions->manifests().size(),
          .fetch = partitions->manifests().fetch(),
          .bytes = partitions->manifests().bytes(),
          .produce = [partitions](size_t part, RowBuilder&) { partitions->Gather(part); },
          .collect = [partitions](size_t part) { partitions->Collect(part); },
          .finish = [partitions](RowBuilder& rows) { partitions->Finish(rows); }};
}

}  // namespace nunatak
