#include "nunatak/iceberg/manifest_batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "nunatak/avro/array_cursor.h"
#include "nunatak/avro/record_cursor.h"
#include "nunatak/base/error.h"
#include "nunatak/iceberg/entry_decoder.h"
#include "nunatak/iceberg/manifest_reader.h"

namespace nunatak::iceberg {

namespace {

class ManifestBatch final : public FileBatch {
 public:
  ManifestBatch(Buffer bytes, const ManifestFile& file, const PartitionSpec& spec,
                const Type& partition_type, const FileRequest& request);

  DataFile File(size_t i) const override;
  std::optional<int64_t> FileSequenceNumber(size_t i) const override {
    return entries_[i].head.file_sequence_number;
  }
  std::optional<int64_t> SnapshotId(size_t i) const override {
    return entries_[i].head.snapshot_id;
  }

 private:
  struct Entry {
    EntryHead head;
    size_t block;
    size_t offset;
  };
  struct MetricCursors {
    avro::ArrayCursor value_counts, null_counts, nan_counts, lower, upper;
  };

  void AddEntry(const avro::RecordCursor& cursor, const EntryHead& head, size_t block);
  void AddPartition(const avro::RecordCursor& cursor);
  void AddMetrics(const avro::RecordCursor& cursor, MetricCursors* cursors);
  void DecodeBlocks(const ManifestFile& file);
  const ManifestShape& FullShape() const;

  InflatedManifest manifest_;
  PartitionSpec spec_;
  Type partition_type_;
  bool wants_partitions_;
  ManifestShape shape_;
  std::vector<Entry> entries_;

  /// The plan of whole entries, made when the first file survives.
  mutable std::once_flag full_shape_once_;
  mutable ManifestShape full_shape_;
};

EntryColumns ColumnsFor(const FileRequest& request) {
  EntryColumns columns = EntryColumns::kCounts;
  if (request.partitions) columns = columns | EntryColumns::kPartitions;
  if (!request.metric_ids.empty()) columns = columns | EntryColumns::kMetrics;
  return columns;
}

ManifestBatch::ManifestBatch(Buffer bytes, const ManifestFile& file, const PartitionSpec& spec,
                             const Type& partition_type, const FileRequest& request)
    : manifest_(std::move(bytes)),
      spec_(spec),
      partition_type_(partition_type),
      wants_partitions_(request.partitions),
      shape_(MakeManifestShape(manifest_.container(), spec, partition_type, ColumnsFor(request))) {
  partition_spec_id = spec.spec_id;
  if (wants_partitions_) partitions.resize(spec.fields.size());
  for (int32_t id : request.metric_ids) metrics.emplace_back().field_id = id;
  DecodeBlocks(file);
}

void ManifestBatch::DecodeBlocks(const ManifestFile& file) {
  Inheritance inheritance(file, shape_.format_version, shape_.has_sequence_numbers);
  avro::RecordCursor cursor(*shape_.plan);
  MetricCursors cursors{avro::ArrayCursor(shape_.plan->items(kValueCounts)),
                        avro::ArrayCursor(shape_.plan->items(kNullValueCounts)),
                        avro::ArrayCursor(shape_.plan->items(kNanValueCounts)),
                        avro::ArrayCursor(shape_.plan->items(kLowerBounds)),
                        avro::ArrayCursor(shape_.plan->items(kUpperBounds))};
  size_t index = 0;
  const auto add = [&](size_t block) {
    const EntryHead head = DecodeHead(cursor, file.content, &inheritance);
    if (head.status == EntryStatus::kDeleted) return;
    AddEntry(cursor, head, block);
    if (wants_partitions_) AddPartition(cursor);
    if (!metrics.empty()) AddMetrics(cursor, &cursors);
  };
  for (size_t block = 0; block < manifest_.blocks().size(); ++block) {
    cursor.Reset(manifest_.blocks()[block]);
    while (cursor.Next()) {
      try {
        add(block);
      } catch (Error& error) {
        error.AddContext(fmt::format("entry {}", index));
        throw;
      }
      ++index;
    }
  }
  CheckNotCut(file, manifest_.size(), static_cast<int64_t>(index));
}

void ManifestBatch::AddEntry(const avro::RecordCursor& cursor, const EntryHead& head,
                             size_t block) {
  if (!head.sequence_number) {
    ThrowInvalid("sequence_number is null in an entry of status EXISTING",
                 "only entries of status ADDED may inherit it from the manifest list");
  }
  contents.push_back(head.content);
  record_counts.push_back(head.record_count);
  file_sizes.push_back(head.file_size);
  data_sequence_numbers.push_back(*head.sequence_number);
  entries_.push_back(Entry{head, block, cursor.record_begin()});
}

void ManifestBatch::AddPartition(const avro::RecordCursor& cursor) {
  for (size_t i = 0; i < partitions.size(); ++i) {
    const int slot = kFirstPartitionField + static_cast<int>(i);
    const avro::Node* type = shape_.plan->type(slot);
    partitions[i].push_back(
        type ? PartitionValue(*type, partition_type_.fields()[i].type, cursor.slot(slot))
             : ValueView());
  }
}

/// Calls `add(column, value)` for each entry of a map whose key is a wanted column.
template <typename Add>
void ForWanted(const avro::Slot& map, avro::ArrayCursor* items, std::vector<MetricColumn>* columns,
               Add add) {
  items->Reset(map);
  while (items->Next()) {
    const avro::Slot& value = items->slot(kItemValue);
    if (value.is_null()) continue;
    const int64_t id = items->slot(kItemKey).integer();
    const auto column =
        std::lower_bound(columns->begin(), columns->end(), id,
                         [](const MetricColumn& c, int64_t key) { return c.field_id < key; });
    if (column != columns->end() && column->field_id == id) add(&*column, value);
  }
}

void ManifestBatch::AddMetrics(const avro::RecordCursor& cursor, MetricCursors* cursors) {
  for (MetricColumn& column : metrics) {
    column.lower_bounds.emplace_back();
    column.upper_bounds.emplace_back();
    column.value_counts.push_back(-1);
    column.null_value_counts.push_back(-1);
    column.nan_value_counts.push_back(-1);
  }
  const auto counts = [&](int slot, avro::ArrayCursor* items,
                          std::vector<int64_t> MetricColumn::* to) {
    ForWanted(cursor.slot(slot), items, &metrics, [to](MetricColumn* column, const avro::Slot& v) {
      (column->*to).back() = std::max<int64_t>(v.integer(), -1);
    });
  };
  const auto bounds = [&](int slot, avro::ArrayCursor* items,
                          std::vector<ByteSpan> MetricColumn::* to) {
    ForWanted(cursor.slot(slot), items, &metrics, [to](MetricColumn* column, const avro::Slot& v) {
      (column->*to).back() = v.bytes();
    });
  };
  counts(kValueCounts, &cursors->value_counts, &MetricColumn::value_counts);
  counts(kNullValueCounts, &cursors->null_counts, &MetricColumn::null_value_counts);
  counts(kNanValueCounts, &cursors->nan_counts, &MetricColumn::nan_value_counts);
  bounds(kLowerBounds, &cursors->lower, &MetricColumn::lower_bounds);
  bounds(kUpperBounds, &cursors->upper, &MetricColumn::upper_bounds);
}

const ManifestShape& ManifestBatch::FullShape() const {
  std::call_once(full_shape_once_, [this] {
    full_shape_ =
        MakeManifestShape(manifest_.container(), spec_, partition_type_, EntryColumns::kAll);
  });
  return full_shape_;
}

DataFile ManifestBatch::File(size_t i) const {
  const Entry& entry = entries_[i];
  const ManifestShape& shape = FullShape();
  avro::RecordCursor cursor(*shape.plan, manifest_.blocks()[entry.block]);
  cursor.DecodeAt(entry.offset);
  return FileDecoder(shape).Decode(cursor, entry.head);
}

}  // namespace

std::shared_ptr<const FileBatch> ReadManifestBatch(Buffer bytes, const ManifestFile& file,
                                                   const PartitionSpec& spec,
                                                   const Type& partition_type,
                                                   const FileRequest& request) {
  RefuseEncrypted(file);
  return std::make_shared<ManifestBatch>(std::move(bytes), file, spec, partition_type, request);
}

}  // namespace nunatak::iceberg
