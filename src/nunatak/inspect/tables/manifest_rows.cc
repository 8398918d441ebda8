#include "nunatak/inspect/tables/manifest_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "nunatak/avro/array_cursor.h"
#include "nunatak/iceberg/slot_values.h"

namespace nunatak {

using avro::Slot;
using iceberg::EntrySlot;

namespace {

constexpr int64_t kMostInt = std::numeric_limits<int32_t>::max();

EntrySlot SlotOf(MetricMap map) {
  return static_cast<EntrySlot>(EntrySlot::kColumnSizes + static_cast<int>(map));
}

bool IsBounds(MetricMap map) {
  return map == MetricMap::kLowerBounds || map == MetricMap::kUpperBounds;
}

bool Precedes(const MetricPair& a, const MetricPair& b) { return a.field_id < b.field_id; }

/// Orders the pairs from the `first` on by field id; of equals, the last one stays.
void SortPairs(size_t first, std::vector<MetricPair>* pairs) {
  const auto begin = pairs->begin() + static_cast<ptrdiff_t>(first);
  std::stable_sort(begin, pairs->end(), Precedes);
  const auto kept = std::unique(
      pairs->rbegin(), std::make_reverse_iterator(begin),
      [](const MetricPair& a, const MetricPair& b) { return a.field_id == b.field_id; });
  pairs->erase(begin, kept.base());
}

ValueView IntegerOf(const Slot& slot) {
  return slot.is_null() ? ValueView() : ValueView::Integer(slot.integer());
}

ValueView BytesOf(const Slot& slot) {
  return slot.is_null() ? ValueView() : ValueView::Bytes(slot.bytes());
}

}  // namespace

ManifestRows::ManifestRows(iceberg::EntryWalk walk, const iceberg::ManifestFile& file)
    : walk_(std::move(walk)), file_(file) {
  walk_.ForEach([this](const iceberg::WalkedEntry& entry) {
    if (!entry.head.sequence_number || !entry.head.file_sequence_number) {
      WithContext(fmt::format("entry {}", entry.index),
                  [&] { iceberg::CheckSequenceNumbers(entry.head); });
    }
    slot_count_ = entry.slots.size();
    slots_.insert(slots_.end(), entry.slots.begin(), entry.slots.end());
    heads_.push_back(entry.head);
  });
}

ValueView ManifestRows::Scalar(ContentFileId field, size_t entry) const {
  using enum ContentFileId;
  const iceberg::EntryHead& head = heads_[entry];
  const iceberg::EntrySlots slots = std::span(slots_).subspan(entry * slot_count_, slot_count_);
  switch (field) {
    case kContent:
      return ValueView::Integer(static_cast<int>(head.content));
    case kFilePath:
      return BytesOf(iceberg::RequiredSlot(slots, EntrySlot::kFilePath, "file_path"));
    case kFileFormat:
      return ValueView::Bytes(ToString(ParseFileFormat(
          iceberg::RequiredSlot(slots, EntrySlot::kFileFormat, "file_format").text())));
    case kSpecId:
      return ValueView::Integer(spec().spec_id);
    case kRecordCount:
      return ValueView::Integer(head.record_count);
    case kFileSize:
      return ValueView::Integer(head.file_size);
    case kFirstRowId:
      return head.first_row_id ? ValueView::Integer(*head.first_row_id) : ValueView();
    case kSortOrderId: {
      const Slot& id = slots[EntrySlot::kSortOrderId];
      if (!id.is_null()) iceberg::InRange(id.integer(), kMostInt, "sort_order_id");
      return IntegerOf(id);
    }
    case kKeyMetadata:
      return BytesOf(slots[EntrySlot::kKeyMetadata]);
    case kReferencedDataFile:
      return BytesOf(slots[EntrySlot::kReferencedDataFile]);
    case kContentOffset:
      return IntegerOf(slots[EntrySlot::kContentOffset]);
    case kContentSize:
      return IntegerOf(slots[EntrySlot::kContentSize]);
    default:
      return {};
  }
}

bool ManifestRows::Numbers(ContentFileId field, size_t entry, std::vector<int64_t>* numbers) const {
  const bool offsets = field == ContentFileId::kSplitOffsets;
  const EntrySlot number = offsets ? EntrySlot::kSplitOffsets : EntrySlot::kEqualityIds;
  const int64_t most = offsets ? std::numeric_limits<int64_t>::max() : kMostInt;
  const Slot& list = slot(entry, number);
  numbers->clear();
  if (list.is_null()) return false;
  avro::ArrayCursor items(walk_.shape().plan->items(number));
  items.Reset(list);
  while (items.Next()) {
    numbers->push_back(iceberg::InRange(items.slot(iceberg::kItemElement).integer(), most,
                                        offsets ? "split_offsets" : "equality_ids"));
  }
  return true;
}

ValueView ManifestRows::Partition(size_t place, size_t entry) const {
  const iceberg::ManifestShape& shape = walk_.shape();
  const int number = EntrySlot::kFirstPartitionField + static_cast<int>(place);
  const avro::Node* written = shape.plan->type(number);
  if (!written) return {};
  return iceberg::PartitionValue(*written, shape.partition_type.fields()[place].type,
                                 slot(entry, number));
}

bool ManifestRows::HasMetrics(MetricMap map, size_t entry) const {
  return !slot(entry, SlotOf(map)).is_null();
}

void ManifestRows::AppendMetrics(MetricMap map, size_t entry,
                                 std::vector<MetricPair>* pairs) const {
  const bool bounds = IsBounds(map);
  avro::ArrayCursor items(walk_.shape().plan->items(SlotOf(map)));
  items.Reset(slot(entry, SlotOf(map)));
  const size_t first = pairs->size();
  int64_t last = -1;
  bool sorted = true;
  while (items.Next()) {
    const Slot& value = items.slot(iceberg::kItemValue);
    if (value.is_null() || (!bounds && value.integer() < 0)) continue;
    const int64_t id =
        iceberg::InRange(items.slot(iceberg::kItemKey).integer(), kMostInt, "field id");
    sorted = sorted && last < id;
    last = id;
    MetricPair& pair = pairs->emplace_back();
    pair.field_id = static_cast<int32_t>(id);
    if (bounds) {
      pair.bound = value.bytes();
    } else {
      pair.count = value.integer();
    }
  }
  if (!sorted) SortPairs(first, pairs);
}

void ManifestRows::AddPlace(size_t entry, Error* error) const {
  error->AddContext(fmt::format("entry {}", entry));
  error->AddContext(file_.manifest_path);
}

}  // namespace nunatak
