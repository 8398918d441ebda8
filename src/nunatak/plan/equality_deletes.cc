#include "nunatak/plan/equality_deletes.h"

#include <fmt/format.h>

#include <algorithm>

#include "nunatak/base/error.h"

namespace nunatak {
namespace {

/// A column that was dropped counts as nullable: a later schema cannot say what it was.
BoundFilter::Column KeyColumn(const Field& field, const Schema& schema) {
  const bool current = schema.FindField(field.id) != nullptr;
  return {.field_id = field.id,
          .type = field.type,
          .name = field.name,
          .nullable = !current || schema.IsNullable(field.id)};
}

/// The columns of a key that have metrics.
std::vector<BoundFilter::Column> KeyColumns(const std::vector<int32_t>& ids,
                                            const SnapshotSource& source) {
  std::vector<BoundFilter::Column> columns;
  for (int32_t id : ids) {
    const Field* field = source.FindField(id);
    if (field != nullptr && field->type.is_comparable()) {
      columns.push_back(KeyColumn(*field, source.schema()));
    }
  }
  return columns;
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

void EqualityDeletes::Add(std::shared_ptr<const DeleteFile> file, const SnapshotSource& source) {
  if (!file->file.equality_ids || file->file.equality_ids->empty()) {
    ThrowInvalid(
        fmt::format("equality delete file without equality_ids: {}", file->file.file_path));
  }
  const std::vector<int32_t>& ids = *file->file.equality_ids;
  auto key = std::find_if(by_key_.begin(), by_key_.end(), [&](const EqualityKeyDeletes& other) {
    return other.equality_ids() == ids;
  });
  if (key == by_key_.end()) {
    key = by_key_.emplace(key, ids, KeyColumns(ids, source), source.schema());
  }
  key->Add(std::move(file));
}

void EqualityDeletes::Arrange() {
  for (EqualityKeyDeletes& key : by_key_) key.Arrange();
}

void EqualityDeletes::AppendColumns(std::vector<BoundFilter::Column>* columns) const {
  for (const EqualityKeyDeletes& key : by_key_) {
    columns->insert(columns->end(), key.columns().begin(), key.columns().end());
  }
}

void EqualityDeletes::AppendFor(const FileBatch& batch, size_t i, const MetricsLayout& layout,
                                std::vector<std::shared_ptr<const DeleteFile>>* out,
                                int64_t* looked_at) const {
  const int64_t data_sequence_number = batch.data_sequence_numbers[i];
  std::vector<ColumnStats> file_stats;
  for (const EqualityKeyDeletes& key : by_key_) {
    if (!key.AnyAfter(data_sequence_number)) continue;
    const BatchFileStats stats(layout, batch, i);
    file_stats.clear();
    for (const BoundFilter::Column& column : key.columns()) {
      file_stats.push_back(stats.Stats(column));
    }
    key.AppendFor(data_sequence_number, file_stats, out, looked_at);
  }
}

int64_t EqualityDeletes::memory_bytes() const {
  int64_t bytes = 0;
  for (const EqualityKeyDeletes& key : by_key_) bytes += key.memory_bytes();
  return bytes;
}

}  // namespace nunatak
