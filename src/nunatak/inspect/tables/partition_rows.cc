#include "nunatak/inspect/tables/partition_rows.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "nunatak/inspect/tables/row_values.h"

namespace nunatak {

namespace {

int CompareNullable(const Value& a, const Value& b) {
  if (a.is_null() || b.is_null()) return (a.is_null() ? 0 : 1) - (b.is_null() ? 0 : 1);
  if (const int order = CompareValues(a.view(), b.view()); order != 0) return order;
  // Zeros of either sign are partitions of their own.
  if (a.view().kind != ValueView::Kind::kReal) return 0;
  return (std::signbit(b.real()) ? 1 : 0) - (std::signbit(a.real()) ? 1 : 0);
}

}  // namespace

void PartitionTotals::Add(const DataFile& file) {
  spec_id = file.partition_spec_id;
  switch (file.content) {
    case FileContent::kData:
      record_count += std::max<int64_t>(file.record_count, 0);
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

bool TupleLess::operator()(const Value& a, const Value& b) const {
  for (size_t i = 0; i < a.list().size(); ++i) {
    const int order = CompareNullable(a.list()[i], b.list()[i]);
    if (order != 0) return order < 0;
  }
  return false;
}

void PartitionRows::Add(size_t part, const PartitionSpec& spec, const DataFile& file,
                        const iceberg::Snapshot* added_by) {
  PartitionTotals& totals = gathered_[part][merged_.Project(spec, file.partition.span())];
  totals.Add(file);
  if (added_by) totals.NoteUpdate(added_by->timestamp_ms, added_by->snapshot_id);
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

Schema PartitionRows::schema() const {
  std::vector<Field> fields;
  if (partitioned()) {
    fields = {RequiredField(1, "partition", merged_.type()),
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

MetadataTable PartitionRows::Table(const std::shared_ptr<PartitionRows>& rows,
                                   std::function<void(size_t part)> gather) {
  return {.schema = rows->schema(),
          .parts = rows->gathered_.size(),
          .produce = [gather = std::move(gather)](size_t part, RowBuilder&) { gather(part); },
          .collect = [rows](size_t part) { rows->Collect(part); },
          .finish = [rows](RowBuilder& builder) { rows->Finish(builder); }};
}

}  // namespace nunatak
