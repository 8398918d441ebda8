#include "nunatak/iceberg/field_metrics.h"

namespace nunatak::iceberg {

FieldMetricsReader::FieldMetricsReader(const ManifestShape& shape) {
  for (int slot = kColumnSizes; slot <= kUpperBounds; ++slot) {
    maps_.emplace_back(shape.plan->items(slot));
  }
}

std::span<const FieldMetrics> FieldMetricsReader::Read(EntrySlots entry) {
  fields_.clear();
  ++entry_;
  ReadCounts(entry, kColumnSizes, &FieldMetrics::column_size);
  ReadCounts(entry, kValueCounts, &FieldMetrics::value_count);
  ReadCounts(entry, kNullValueCounts, &FieldMetrics::null_value_count);
  ReadCounts(entry, kNanValueCounts, &FieldMetrics::nan_value_count);
  ReadBounds(entry, kLowerBounds, &FieldMetrics::lower_bound);
  ReadBounds(entry, kUpperBounds, &FieldMetrics::upper_bound);
  return fields_;
}

template <typename Visit>
void FieldMetricsReader::ForEachItem(EntrySlots entry, int slot, Visit visit) {
  avro::ArrayCursor& items = maps_[static_cast<size_t>(slot - kColumnSizes)];
  items.Reset(entry[static_cast<size_t>(slot)]);
  while (items.Next()) {
    const avro::Slot& value = items.slot(kItemValue);
    if (!value.is_null()) visit(At(items.slot(kItemKey).integer()), value);
  }
}

void FieldMetricsReader::ReadCounts(EntrySlots entry, int slot,
                                    std::optional<int64_t> FieldMetrics::* count) {
  ForEachItem(entry, slot, [count](FieldMetrics& field, const avro::Slot& value) {
    field.twice |= (field.*count).has_value();
    field.*count = value.integer();
  });
}

void FieldMetricsReader::ReadBounds(EntrySlots entry, int slot,
                                    std::optional<ByteSpan> FieldMetrics::* bound) {
  ForEachItem(entry, slot, [bound](FieldMetrics& field, const avro::Slot& value) {
    field.twice |= (field.*bound).has_value();
    field.*bound = value.bytes();
  });
}

FieldMetrics& FieldMetricsReader::At(int64_t field_id) {
  Place& place = places_[field_id];
  if (place.entry != entry_) {
    place = {.entry = entry_, .index = fields_.size()};
    fields_.push_back({.field_id = field_id});
  }
  return fields_[place.index];
}

}  // namespace nunatak::iceberg
