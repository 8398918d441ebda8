#include "nunatak/iceberg/entry_decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/iceberg/slot_values.h"

namespace nunatak::iceberg {

using avro::ArrayCursor;
using avro::Slot;
using avro::SlotKind;

namespace {

FileContent ContentOf(const Slot& slot, ManifestContent manifest) {
  const auto content =
      static_cast<FileContent>(slot.is_null() ? 0 : InRange(slot.integer(), 2, "content"));
  if ((content != FileContent::kData) != (manifest == ManifestContent::kDeletes)) {
    ThrowInvalid(fmt::format("{} file in a manifest of {} files", ToString(content),
                             manifest == ManifestContent::kData ? "data" : "delete"));
  }
  return content;
}

}  // namespace

EntryHead DecodeHead(EntrySlots slots, ManifestContent content, Inheritance* inheritance) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  EntryHead head;
  head.status = static_cast<EntryStatus>(
      InRange(RequiredSlot(slots, kStatus, "status").integer(), 2, "status"));
  head.content = ContentOf(slots[kContent], content);
  head.record_count =
      InRange(RequiredSlot(slots, kRecordCount, "record_count").integer(), kMax, "record_count");
  head.file_size = InRange(RequiredSlot(slots, kFileSize, "file_size_in_bytes").integer(), kMax,
                           "file_size_in_bytes");
  head.snapshot_id = inheritance->SnapshotId(OptionalInteger(slots[kSnapshotId]));
  head.sequence_number =
      inheritance->SequenceNumber(head.status, OptionalInteger(slots[kSequenceNumber]));
  head.file_sequence_number =
      inheritance->SequenceNumber(head.status, OptionalInteger(slots[kFileSequenceNumber]));
  head.first_row_id =
      inheritance->FirstRowId(head.status, OptionalInteger(slots[kFirstRowId]), head.record_count);
  return head;
}

namespace {

void CheckSequenceNumber(const std::optional<int64_t>& number, std::string_view field,
                         EntryStatus status) {
  if (number) return;
  ThrowInvalid(fmt::format("{} is null in an entry of status {}", field,
                           status == EntryStatus::kExisting ? "EXISTING" : "DELETED"),
               "only entries of status ADDED may inherit it from the manifest list");
}

}  // namespace

void CheckSequenceNumbers(const EntryHead& head) {
  CheckSequenceNumber(head.sequence_number, "sequence_number", head.status);
  CheckSequenceNumber(head.file_sequence_number, "file_sequence_number", head.status);
}

namespace {

constexpr int64_t kMicrosPerDay = 86'400'000'000;

/// How many of the type's units one unit of the writer's is: a partition source may have been
/// promoted, and a writer may use milliseconds.
int64_t UnitsPerWriterUnit(avro::LogicalType writer, const Type& type) {
  const bool micros = type.id() == TypeId::kTimestamp || type.id() == TypeId::kTimestampTz;
  const bool nanos = type.id() == TypeId::kTimestampNs || type.id() == TypeId::kTimestampTzNs;
  if (!micros && !nanos) return 1;
  const int64_t per_micro = nanos ? 1000 : 1;
  switch (writer) {
    case avro::LogicalType::kDate:
      return kMicrosPerDay * per_micro;
    case avro::LogicalType::kTimestampMillis:
    case avro::LogicalType::kLocalTimestampMillis:
      return 1000 * per_micro;
    case avro::LogicalType::kTimestampMicros:
    case avro::LogicalType::kLocalTimestampMicros:
      return per_micro;
    default:
      return 1;
  }
}

ValueView IntegerValue(const avro::Node& writer, const Type& type, int64_t value) {
  if (KindOf(type) == ValueView::Kind::kReal) return ValueView::Real(static_cast<double>(value));
  int64_t scaled = 0;
  if (__builtin_mul_overflow(value, UnitsPerWriterUnit(writer.logical, type), &scaled)) {
    ThrowInvalid(
        fmt::format("partition value {} is beyond the range of {}", value, type.ToString()));
  }
  return ValueView::Integer(scaled);
}

ValueView BytesValue(const Type& type, ByteSpan bytes) {
  if (type.id() == TypeId::kDecimal) {
    const std::optional<Int128> unscaled = FromBigEndian(bytes);
    if (!unscaled) ThrowInvalid("partition value is not a decimal of at most 16 bytes");
    return ValueView::Decimal(*unscaled);
  }
  if (type.id() == TypeId::kUuid && bytes.size() != 16) {
    ThrowInvalid(fmt::format("partition value of {} bytes where a uuid has 16", bytes.size()));
  }
  return ValueView::Bytes(bytes);
}

}  // namespace

ValueView PartitionValue(const avro::Node& writer_type, const Type& type, const Slot& slot) {
  ValueView value;
  switch (slot.kind()) {
    case SlotKind::kNull:
    case SlotKind::kItems:
      return value;
    case SlotKind::kBoolean:
      value = ValueView::Integer(slot.boolean() ? 1 : 0);
      break;
    case SlotKind::kInteger:
      value = IntegerValue(writer_type, type, slot.integer());
      break;
    case SlotKind::kReal:
      value = ValueView::Real(slot.real());
      break;
    case SlotKind::kBytes:
      value = BytesValue(type, slot.bytes());
      break;
  }
  if (type.id() != TypeId::kUnknown && value.kind != KindOf(type)) {
    ThrowInvalid(fmt::format("partition value of Avro type {} where the spec has {}",
                             ToString(writer_type.type), type.ToString()));
  }
  return value;
}

FileDecoder::FileDecoder(const ManifestShape& shape)
    : shape_(shape),
      column_sizes_(shape.plan->items(kColumnSizes)),
      value_counts_(shape.plan->items(kValueCounts)),
      null_counts_(shape.plan->items(kNullValueCounts)),
      nan_counts_(shape.plan->items(kNanValueCounts)),
      lower_(shape.plan->items(kLowerBounds)),
      upper_(shape.plan->items(kUpperBounds)),
      split_offsets_(shape.plan->items(kSplitOffsets)),
      equality_ids_(shape.plan->items(kEqualityIds)) {}

PartitionValues FileDecoder::DecodePartition(EntrySlots slots) const {
  std::vector<Value> values;
  const auto fields = shape_.partition_type.fields();
  values.reserve(fields.size());
  for (size_t i = 0; i < fields.size(); ++i) {
    const int slot = kFirstPartitionField + static_cast<int>(i);
    const avro::Node* type = shape_.plan->type(slot);
    values.push_back(type ? Value::Of(PartitionValue(*type, fields[i].type, slots[slot]))
                          : Value());
  }
  return values;
}

namespace {

int32_t FieldId(const Slot& slot) {
  return static_cast<int32_t>(
      InRange(slot.integer(), std::numeric_limits<int32_t>::max(), "field id"));
}

/// Collects the metrics of a file's columns from its maps. Most writers order their maps by key,
/// and then it only appends; keys that come late are kept apart, so that no order of them is slow.
class MetricsBuilder {
 public:
  /// `columns` is a guess.
  explicit MetricsBuilder(size_t columns) { sorted_.reserve(columns); }

  ColumnMetrics& At(int32_t field_id) {
    // All maps of a file mostly name the same columns in the same order.
    if (next_ >= sorted_.size()) next_ = 0;
    if (next_ < sorted_.size() && sorted_[next_].field_id == field_id) return sorted_[next_++];
    if (sorted_.empty() || sorted_.back().field_id < field_id) {
      sorted_.emplace_back().field_id = field_id;
      return sorted_.back();
    }
    const auto at = std::lower_bound(sorted_.begin(), sorted_.end(), field_id, Before);
    if (at->field_id == field_id) {
      next_ = static_cast<size_t>(at - sorted_.begin()) + 1;
      return *at;
    }
    ColumnMetrics& late = late_[field_id];
    late.field_id = field_id;
    return late;
  }

  std::vector<ColumnMetrics> Finish() && {
    const auto middle = static_cast<ptrdiff_t>(sorted_.size());
    for (auto& [id, metrics] : late_) sorted_.push_back(std::move(metrics));
    std::inplace_merge(
        sorted_.begin(), sorted_.begin() + middle, sorted_.end(),
        [](const ColumnMetrics& a, const ColumnMetrics& b) { return a.field_id < b.field_id; });
    return std::move(sorted_);
  }

 private:
  static bool Before(const ColumnMetrics& metrics, int32_t id) { return metrics.field_id < id; }

  std::vector<ColumnMetrics> sorted_;
  /// Behind the one that was asked for last.
  size_t next_ = 0;
  std::map<int32_t, ColumnMetrics> late_;
};

/// Negative counts come from faulty writers, and say nothing.
void AddCounts(const Slot& map, ArrayCursor* items, std::optional<int64_t> ColumnMetrics::* count,
               MetricsBuilder* metrics) {
  items->Reset(map);
  while (items->Next()) {
    const int64_t value = items->slot(kItemValue).integer();
    const bool known = !items->slot(kItemValue).is_null() && value >= 0;
    if (known) metrics->At(FieldId(items->slot(kItemKey))).*count = value;
  }
}

void AddBounds(const Slot& map, ArrayCursor* items,
               std::optional<std::string> ColumnMetrics::* bound, MetricsBuilder* metrics) {
  items->Reset(map);
  while (items->Next()) {
    const Slot& value = items->slot(kItemValue);
    if (value.is_null()) continue;
    metrics->At(FieldId(items->slot(kItemKey))).*bound = std::string(value.text());
  }
}

template <typename T>
std::optional<std::vector<T>> Integers(const Slot& list, ArrayCursor* items,
                                       std::string_view name) {
  if (list.is_null()) return std::nullopt;
  std::vector<T> values;
  items->Reset(list);
  while (items->Next()) {
    values.push_back(static_cast<T>(
        InRange(items->slot(kItemElement).integer(), std::numeric_limits<T>::max(), name)));
  }
  return values;
}

}  // namespace

void FileDecoder::DecodeMetrics(EntrySlots slots, DataFile* file) {
  MetricsBuilder builder(columns_with_metrics_);
  MetricsBuilder* metrics = &builder;
  AddCounts(slots[kColumnSizes], &column_sizes_, &ColumnMetrics::column_size, metrics);
  AddCounts(slots[kValueCounts], &value_counts_, &ColumnMetrics::value_count, metrics);
  AddCounts(slots[kNullValueCounts], &null_counts_, &ColumnMetrics::null_value_count, metrics);
  AddCounts(slots[kNanValueCounts], &nan_counts_, &ColumnMetrics::nan_value_count, metrics);
  AddBounds(slots[kLowerBounds], &lower_, &ColumnMetrics::lower_bound, metrics);
  AddBounds(slots[kUpperBounds], &upper_, &ColumnMetrics::upper_bound, metrics);
  file->metrics = std::move(builder).Finish();
  columns_with_metrics_ = file->metrics.size();
  file->metric_maps = MetricMapsOf(slots);
}

uint8_t MetricMapsOf(EntrySlots slots) {
  uint8_t maps = 0;
  for (int i = 0; i < 6; ++i) {
    if (!slots[kColumnSizes + i].is_null()) maps |= uint8_t(1U << i);
  }
  return maps;
}

void FileDecoder::Decode(EntrySlots slots, const EntryHead& head, bool column_metrics,
                         DataFile* file) {
  file->content = head.content;
  file->file_path = RequiredSlot(slots, kFilePath, "file_path").text();
  file->file_format = ParseFileFormat(RequiredSlot(slots, kFileFormat, "file_format").text());
  file->record_count = head.record_count;
  file->file_size_in_bytes = head.file_size;
  file->first_row_id = head.first_row_id;
  file->partition_spec_id = shape_.spec.spec_id;
  if (column_metrics) DecodeMetrics(slots, file);
  file->key_metadata = OptionalText(slots[kKeyMetadata]);
  file->split_offsets = Integers<int64_t>(slots[kSplitOffsets], &split_offsets_, "split_offsets");
  file->equality_ids = Integers<int32_t>(slots[kEqualityIds], &equality_ids_, "equality_ids");
  if (const Slot& id = slots[kSortOrderId]; !id.is_null()) {
    file->sort_order_id = static_cast<int32_t>(
        InRange(id.integer(), std::numeric_limits<int32_t>::max(), "sort_order_id"));
  }
  file->referenced_data_file = OptionalText(slots[kReferencedDataFile]);
  file->content_offset = OptionalInteger(slots[kContentOffset]);
  file->content_size_in_bytes = OptionalInteger(slots[kContentSize]);
}

}  // namespace nunatak::iceberg
