#include "nunatak/plan/equality_deletes.h"

#include <fmt/format.h>

#include <algorithm>

#include "nunatak/base/error.h"

namespace nunatak {
namespace {

bool HasRange(const ColumnStats& stats) {
  return !stats.lower.is_null() && !stats.upper.is_null() && stats.lower.kind == stats.upper.kind &&
         CompareValues(stats.lower, stats.upper) <= 0;
}

bool RangesAreDisjoint(const ColumnStats& a, const ColumnStats& b) {
  if (!HasRange(a) || !HasRange(b) || a.lower.kind != b.lower.kind) return false;
  return CompareValues(a.lower, b.upper) > 0 || CompareValues(b.lower, a.upper) > 0;
}

/// A column that was dropped counts as nullable: a later schema cannot say what it was.
BoundFilter::Column KeyColumn(const Field& field, const Schema& schema) {
  const bool current = schema.FindField(field.id) != nullptr;
  return {.field_id = field.id,
          .type = field.type,
          .name = field.name,
          .nullable = !current || schema.IsNullable(field.id)};
}

class KeyColumnStats : public StatsSource {
 public:
  KeyColumnStats(const MetricsLayout& layout, const DataFile& file)
      : ids_(*file.equality_ids), stats_(layout, file) {}
  ColumnStats Stats(const BoundFilter::Column& column) const override {
    const bool in_key = std::find(ids_.begin(), ids_.end(), column.field_id) != ids_.end();
    return in_key ? stats_.Stats(column) : ColumnStats{};
  }

 private:
  const std::vector<int32_t>& ids_;
  DataFileStats stats_;
};

}  // namespace

bool MayDeleteMatching(const DataFile& deletes, const BoundFilter& filter,
                       const MetricsLayout& layout) {
  if (!deletes.equality_ids) return true;
  return Evaluate(filter, KeyColumnStats(layout, deletes), Mode::kInclusive);
}

bool MayShareValue(const ColumnStats& a, const ColumnStats& b) {
  if (a.has_nulls != Known::kNo && b.has_nulls != Known::kNo) return true;
  if (a.all_null == Known::kYes || b.all_null == Known::kYes) return false;
  if (a.has_nans != Known::kNo && b.has_nans != Known::kNo) return true;
  return !RangesAreDisjoint(a, b);
}

EqualityDeletes::KeyDeletes& EqualityDeletes::KeyOf(const DeleteFile& file,
                                                    const SnapshotSource& source) {
  const std::vector<int32_t>& ids = *file.file.equality_ids;
  for (KeyDeletes& key : by_key_) {
    if (key.equality_ids == ids) return key;
  }
  KeyDeletes& key = by_key_.emplace_back();
  key.equality_ids = ids;
  for (int32_t id : ids) {
    const Field* field = source.FindField(id);
    if (field != nullptr && field->type.is_comparable()) {
      key.columns.push_back(KeyColumn(*field, source.schema()));
    }
  }
  key.layout = MetricsLayout(key.columns, source.schema());
  return key;
}

void EqualityDeletes::Add(std::shared_ptr<const DeleteFile> file, const SnapshotSource& source) {
  if (!file->file.equality_ids || file->file.equality_ids->empty()) {
    ThrowInvalid(
        fmt::format("equality delete file without equality_ids: {}", file->file.file_path));
  }
  KeyDeletes& key = KeyOf(*file, source);
  Entry entry{.file = std::move(file), .stats = {}};
  const DataFileStats stats(key.layout, entry.file->file);
  for (const BoundFilter::Column& column : key.columns) entry.stats.push_back(stats.Stats(column));
  key.entries.push_back(std::move(entry));
}

void EqualityDeletes::SortBySequenceNumber() {
  for (KeyDeletes& key : by_key_) {
    std::stable_sort(key.entries.begin(), key.entries.end(), [](const Entry& a, const Entry& b) {
      return a.file->data_sequence_number < b.file->data_sequence_number;
    });
  }
}

void EqualityDeletes::AppendColumns(std::vector<BoundFilter::Column>* columns) const {
  for (const KeyDeletes& key : by_key_) {
    columns->insert(columns->end(), key.columns.begin(), key.columns.end());
  }
}

void EqualityDeletes::AppendFor(const FileBatch& batch, size_t i, const MetricsLayout& layout,
                                std::vector<std::shared_ptr<const DeleteFile>>* out) const {
  const int64_t data_sequence_number = batch.data_sequence_numbers[i];
  std::vector<ColumnStats> file_stats;
  for (const KeyDeletes& key : by_key_) {
    auto at = std::upper_bound(key.entries.begin(), key.entries.end(), data_sequence_number,
                               [](int64_t sequence_number, const Entry& entry) {
                                 return sequence_number < entry.file->data_sequence_number;
                               });
    if (at == key.entries.end()) continue;
    const BatchFileStats stats(layout, batch, i);
    file_stats.clear();
    for (const BoundFilter::Column& column : key.columns) {
      file_stats.push_back(stats.Stats(column));
    }
    for (; at != key.entries.end(); ++at) {
      const bool may_delete =
          std::equal(file_stats.begin(), file_stats.end(), at->stats.begin(), MayShareValue);
      if (may_delete) out->push_back(at->file);
    }
  }
}

}  // namespace nunatak
