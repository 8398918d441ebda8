#include "nunatak/iceberg/manifest_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "nunatak/avro/array_cursor.h"
#include "nunatak/avro/record_cursor.h"
#include "nunatak/base/error.h"
#include "nunatak/iceberg/manifest_reader.h"
#include "nunatak/iceberg/slot_values.h"

namespace nunatak::iceberg {
namespace {

/// Manifests of so many bytes are worth more than one worker.
constexpr size_t kLargeManifestBytes = size_t{1} << 20;

/// No valid entry takes fewer bytes, so that a false count cannot reserve much.
constexpr size_t kMinEntryBytes = 16;

std::vector<avro::Slot> DecodeBlock(const avro::DecodePlan& plan, const avro::Block& block) {
  avro::RecordCursor cursor(plan, block);
  const auto slot_count = static_cast<size_t>(plan.slot_count());
  std::vector<avro::Slot> slots;
  slots.reserve(slot_count * std::min<size_t>(static_cast<size_t>(block.count) + 1,
                                              block.bytes.size() / kMinEntryBytes + 1));
  size_t used = 0;
  do {
    slots.resize(used + slot_count);
    used += slot_count;
  } while (cursor.Next(slots.data() + (used - slot_count)));
  slots.resize(used - slot_count);
  return slots;
}

}  // namespace

ManifestColumns::ManifestColumns(const Context& context, ManifestBlocks blocks,
                                 std::shared_ptr<const ManifestShape> shape,
                                 const ManifestFile& file)
    : blocks_(std::move(blocks)),
      shape_(std::move(shape)),
      inheritance_(file, shape_->format_version, shape_->has_sequence_numbers),
      slot_count_(static_cast<size_t>(shape_->plan->slot_count())),
      tuples_(shape_->spec.fields.size()),
      tuple_(shape_->spec.fields.size()) {
  DecodeRows(context);
  AddEntries(file);
  CountMemory();
}

void ManifestColumns::DecodeRows(const Context& context) {
  block_slots_.resize(blocks_.count());
  const auto decode = [this](size_t block, avro::Decompressor& decompressor) {
    block_slots_[block] = DecodeBlock(*shape_->plan, blocks_.Inflate(block, decompressor));
  };
  if (blocks_.file_size() >= kLargeManifestBytes && context.executor) {
    ParallelFor(context, static_cast<int64_t>(blocks_.count()), [&](int64_t block) {
      avro::Decompressor decompressor;
      decode(static_cast<size_t>(block), decompressor);
    });
  } else {
    avro::Decompressor decompressor;
    for (size_t block = 0; block < blocks_.count(); ++block) decode(block, decompressor);
  }
}

void ManifestColumns::AddEntries(const ManifestFile& file) {
  size_t count = 0;
  for (const std::vector<avro::Slot>& slots : block_slots_) count += slots.size() / slot_count_;
  rows_.reserve(count);
  contents_.reserve(count);
  file_paths_.reserve(count);
  record_counts_.reserve(count);
  file_sizes_.reserve(count);
  sequence_numbers_.reserve(count);
  tuple_numbers_.reserve(count);
  // Row ids are counted over all entries in order, which is why this pass is not parallel.
  Inheritance inheritance = inheritance_;
  int64_t index = 0;
  try {
    for (const std::vector<avro::Slot>& slots : block_slots_) {
      for (size_t at = 0; at < slots.size(); at += slot_count_, ++index) {
        const EntrySlots row(slots.data() + at, slot_count_);
        const EntryHead head = DecodeHead(row, file.content, &inheritance);
        if (head.status != EntryStatus::kDeleted) AddEntry(row, head);
      }
    }
  } catch (Error& error) {
    error.AddContext(fmt::format("entry {}", index));
    throw;
  }
  CheckNotCut(file, blocks_.file_size(), index);
}

void ManifestColumns::AddEntry(EntrySlots slots, const EntryHead& head) {
  if (!head.sequence_number) {
    ThrowInvalid("sequence_number is null in an entry of status EXISTING",
                 "only entries of status ADDED may inherit it from the manifest list");
  }
  rows_.push_back(slots.data());
  contents_.push_back(head.content);
  file_paths_.push_back(RequiredSlot(slots, kFilePath, "file_path").text());
  record_counts_.push_back(head.record_count);
  file_sizes_.push_back(head.file_size);
  sequence_numbers_.push_back(*head.sequence_number);
  if (inheritance_.has_row_ids()) first_row_ids_.push_back(head.first_row_id);
  const auto fields = shape_->partition_type.fields();
  for (size_t i = 0; i < tuple_.size(); ++i) {
    const int slot = kFirstPartitionField + static_cast<int>(i);
    const avro::Node* type = shape_->plan->type(slot);
    tuple_[i] = type ? PartitionValue(*type, fields[i].type, slots[slot]) : ValueView();
  }
  tuple_numbers_.push_back(tuples_.NumberOf(tuple_));
}

void ManifestColumns::CountMemory() {
  constexpr size_t kBytesPerEntry = sizeof(FileContent) + sizeof(std::string_view) +
                                    3 * sizeof(int64_t) + sizeof(uint32_t) + sizeof(void*);
  size_t bytes = blocks_.memory_bytes() + rows_.size() * kBytesPerEntry +
                 tuples_.size() * tuple_.size() * sizeof(ValueView);
  for (const std::vector<avro::Slot>& slots : block_slots_) {
    bytes += slots.capacity() * sizeof(avro::Slot);
  }
  memory_bytes_ = static_cast<int64_t>(bytes);
}

namespace {

int64_t MemoryOf(const MetricColumn& column) {
  const size_t per_file = 2 * sizeof(ByteSpan) + 3 * sizeof(int64_t);
  return static_cast<int64_t>(column.value_counts.size() * per_file + column.bound_bytes.size());
}

}  // namespace

std::vector<const MetricColumn*> ManifestColumns::Metrics(
    std::span<const int32_t> field_ids) const {
  std::vector<const MetricColumn*> columns;
  std::lock_guard lock(metrics_mutex_);
  for (int32_t id : field_ids) {
    auto at = metrics_.find(id);
    if (at == metrics_.end()) {
      MetricColumn column;
      FillMetrics(id, &column);
      memory_bytes_ += MemoryOf(column);
      at = metrics_.emplace(id, std::move(column)).first;
    }
    columns.push_back(&at->second);
  }
  return columns;
}

namespace {

/// One of the maps of the entries, looked up by field id.
class MetricMap {
 public:
  MetricMap(const ManifestShape& shape, int slot) : slot_(slot), items_(shape.plan->items(slot)) {}

  /// Calls `set` with each value that an entry has under the key. (A faulty writer's map may have
  /// several: the last one counts, for whoever reads it.)
  template <typename Set>
  void ForKey(const avro::Slot* entry, int32_t key, Set set) {
    items_.Reset(entry[slot_]);
    while (items_.NextWithKey(key)) {
      if (!items_.slot(kItemValue).is_null()) set(items_.slot(kItemValue));
    }
  }

 private:
  int slot_;
  avro::ArrayCursor items_;
};

/// Copies the bounds of a column from all over the manifest to one place, in the order in which a
/// sweep meets them.
void GatherBounds(MetricColumn* column) {
  size_t size = 0;
  for (ByteSpan bound : column->lower_bounds) size += bound.size();
  for (ByteSpan bound : column->upper_bounds) size += bound.size();
  // One byte more, so that an empty bound at the end has an address too.
  column->bound_bytes.resize(size + 1);
  uint8_t* to = column->bound_bytes.data();
  const auto gather = [&to](ByteSpan* bound) {
    if (bound->data() == nullptr) return;
    uint8_t* end = std::copy(bound->begin(), bound->end(), to);
    *bound = ByteSpan(to, end);
    to = end;
  };
  for (size_t i = 0; i < column->lower_bounds.size(); ++i) {
    gather(&column->lower_bounds[i]);
    gather(&column->upper_bounds[i]);
  }
}

}  // namespace

void ManifestColumns::FillMetrics(int32_t field_id, MetricColumn* column) const {
  struct Counts {
    MetricMap map;
    std::vector<int64_t>* to;
  };
  struct Bounds {
    MetricMap map;
    std::vector<ByteSpan>* to;
  };
  std::array counts = {Counts{MetricMap(*shape_, kValueCounts), &column->value_counts},
                       Counts{MetricMap(*shape_, kNullValueCounts), &column->null_value_counts},
                       Counts{MetricMap(*shape_, kNanValueCounts), &column->nan_value_counts}};
  std::array bounds = {Bounds{MetricMap(*shape_, kLowerBounds), &column->lower_bounds},
                       Bounds{MetricMap(*shape_, kUpperBounds), &column->upper_bounds}};
  for (Counts& c : counts) c.to->assign(size(), -1);
  for (Bounds& b : bounds) b.to->resize(size());
  // Entry by entry, not map by map: the maps of an entry lie side by side.
  for (size_t row = 0; row < size(); ++row) {
    for (Counts& c : counts) {
      c.map.ForKey(rows_[row], field_id, [&](const avro::Slot& value) {
        // As `FileDecoder` has it: negative counts come from faulty writers, and say nothing.
        if (value.integer() >= 0) (*c.to)[row] = value.integer();
      });
    }
    for (Bounds& b : bounds) {
      b.map.ForKey(rows_[row], field_id,
                   [&](const avro::Slot& value) { (*b.to)[row] = value.bytes(); });
    }
  }
  GatherBounds(column);
}

EntryHead ManifestColumns::HeadOf(size_t i) const {
  EntryHead head;
  head.content = contents_[i];
  head.record_count = record_counts_[i];
  head.file_size = file_sizes_[i];
  if (!first_row_ids_.empty()) head.first_row_id = first_row_ids_[i];
  return head;
}

void ManifestColumns::AppendFiles(std::span<const uint32_t> positions, bool column_metrics,
                                  std::vector<DataFile>* files) const {
  // The values of an entry lie here and there in its block: asking for those of a later entry now
  // hides most of the wait for memory.
  constexpr size_t kAhead = 6;
  FileDecoder decoder(*shape_);
  // Made anew for each caller: threads that count references to one and the same would wait for
  // each other.
  std::vector<PartitionValues> partitions(tuples_.size());
  for (size_t k = 0; k < positions.size(); ++k) {
    if (k + kAhead < positions.size()) {
      const uint32_t later = positions[k + kAhead];
      __builtin_prefetch(file_paths_[later].data());
      __builtin_prefetch(file_paths_[later].data() + 64);
      __builtin_prefetch(rows_[later][kSplitOffsets].bytes().data());
    }
    const uint32_t i = positions[k];
    DataFile& file = files->emplace_back();
    decoder.Decode(Row(i), HeadOf(i), column_metrics, &file);
    PartitionValues& partition = partitions[tuple_numbers_[i]];
    if (partition.empty()) partition = decoder.DecodePartition(Row(i));
    file.partition = partition;
  }
}

std::optional<int64_t> ManifestColumns::FileSequenceNumber(size_t i) const {
  return inheritance_.SequenceNumber(StatusOf(i), OptionalInteger(rows_[i][kFileSequenceNumber]));
}

std::optional<int64_t> ManifestColumns::SnapshotId(size_t i) const {
  return inheritance_.SnapshotId(OptionalInteger(rows_[i][kSnapshotId]));
}

uint8_t ManifestColumns::MetricMaps(size_t i) const { return MetricMapsOf(Row(i)); }

namespace {

class ManifestBatch final : public FileBatch {
 public:
  ManifestBatch(const ManifestColumns& columns, std::shared_ptr<const DecodedManifest> owner,
                const FileRequest& request)
      : columns_(columns), owner_(std::move(owner)) {
    contents = columns.contents();
    file_paths = columns.file_paths();
    record_counts = columns.record_counts();
    file_sizes = columns.file_sizes();
    data_sequence_numbers = columns.data_sequence_numbers();
    partition_spec_id = columns.spec().spec_id;
    tuple_count = columns.tuples().size();
    for (const auto& column : columns.tuples().columns()) tuples.emplace_back(column);
    tuple_numbers = columns.tuple_numbers();
    if (!request.metric_ids.empty()) metrics = columns.Metrics(request.metric_ids);
  }

  void AppendFiles(std::span<const uint32_t> positions, bool column_metrics,
                   std::vector<DataFile>* files) const override {
    columns_.AppendFiles(positions, column_metrics, files);
  }
  std::optional<int64_t> FileSequenceNumber(size_t i) const override {
    return columns_.FileSequenceNumber(i);
  }
  std::optional<int64_t> SnapshotId(size_t i) const override { return columns_.SnapshotId(i); }
  bool IsAdded(size_t i) const override { return columns_.IsAdded(i); }
  int64_t memory_bytes() const override { return columns_.memory_bytes(); }

 private:
  const ManifestColumns& columns_;
  std::shared_ptr<const DecodedManifest> owner_;
};

}  // namespace

std::shared_ptr<const FileBatch> ManifestColumns::Batch(std::shared_ptr<const DecodedManifest> self,
                                                        const FileRequest& request) const {
  return std::make_shared<ManifestBatch>(*this, std::move(self), request);
}

std::shared_ptr<const ManifestColumns> ReadManifestColumns(
    const Context& context, Buffer bytes, const ManifestFile& file, const PartitionSpec& spec,
    const Type& partition_type, std::string_view spec_key, ManifestCache& cache) {
  RefuseEncrypted(file);
  ManifestBlocks blocks(std::move(bytes));
  std::shared_ptr<const ManifestShape> shape =
      cache.Shape(blocks.container(), spec, partition_type, spec_key);
  return std::make_shared<const ManifestColumns>(context, std::move(blocks), std::move(shape),
                                                 file);
}

}  // namespace nunatak::iceberg
