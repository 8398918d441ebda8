#pragma once

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/plan/partition_tuples.h"
#include "nunatak/plan/snapshot_source.h"
#include "nunatak/table/single_value.h"

namespace nunatak {

/// A live file of a fake snapshot.
struct FakeEntry {
  DataFile file;
  int64_t sequence_number = 0;
};

/// A decoded group of a `FakeSource`; owns its files.
class FakeBatch : public FileBatch {
 public:
  FakeBatch(std::vector<FakeEntry> entries, int32_t spec_id, const FileRequest& request)
      : entries_(std::move(entries)),
        tuples_(entries_.empty() ? 0 : entries_[0].file.partition.size()) {
    partition_spec_id = spec_id;
    for (const FakeEntry& entry : entries_) {
      contents_.push_back(entry.file.content);
      paths_.push_back(entry.file.file_path);
      record_counts_.push_back(entry.file.record_count);
      file_sizes_.push_back(entry.file.file_size_in_bytes);
      sequence_numbers_.push_back(entry.sequence_number);
      std::vector<ValueView> tuple;
      for (const Value& value : entry.file.partition) tuple.push_back(value.view());
      numbers_.push_back(tuples_.NumberOf(tuple));
    }
    columns_.reserve(request.metric_ids.size());
    for (int32_t id : request.metric_ids) AddMetrics(id);
    contents = contents_;
    file_paths = paths_;
    record_counts = record_counts_;
    file_sizes = file_sizes_;
    data_sequence_numbers = sequence_numbers_;
    tuple_count = tuples_.size();
    for (const auto& column : tuples_.columns()) tuples.emplace_back(column);
    tuple_numbers = numbers_;
  }

  void AppendFiles(std::span<const uint32_t> positions, bool column_metrics,
                   std::vector<DataFile>* files) const override {
    for (uint32_t i : positions) {
      DataFile& file = files->emplace_back(entries_.at(i).file);
      if (column_metrics) continue;
      file.metrics.clear();
      file.metric_maps = 0;
    }
  }
  std::optional<int64_t> FileSequenceNumber(size_t i) const override {
    return entries_.at(i).sequence_number;
  }
  std::optional<int64_t> SnapshotId(size_t) const override { return std::nullopt; }
  bool IsAdded(size_t) const override { return true; }
  int64_t memory_bytes() const override { return 0; }

 private:
  void AddMetrics(int32_t id) {
    MetricColumn& column = columns_.emplace_back();
    metrics.push_back(&column);
    for (const FakeEntry& entry : entries_) {
      const ColumnMetrics* found = entry.file.FindMetrics(id);
      const ColumnMetrics recorded = found ? *found : ColumnMetrics{};
      const auto bound = [&](const std::optional<std::string> ColumnMetrics::* member) {
        return found && found->*member ? AsBytes(*(found->*member)) : ByteSpan();
      };
      column.lower_bounds.push_back(bound(&ColumnMetrics::lower_bound));
      column.upper_bounds.push_back(bound(&ColumnMetrics::upper_bound));
      column.value_counts.push_back(recorded.value_count.value_or(-1));
      column.null_value_counts.push_back(recorded.null_value_count.value_or(-1));
      column.nan_value_counts.push_back(recorded.nan_value_count.value_or(-1));
    }
  }

  std::vector<FakeEntry> entries_;
  std::vector<FileContent> contents_;
  std::vector<std::string_view> paths_;
  std::vector<int64_t> record_counts_;
  std::vector<int64_t> file_sizes_;
  std::vector<int64_t> sequence_numbers_;
  PartitionTuples tuples_;
  std::vector<uint32_t> numbers_;
  std::vector<MetricColumn> columns_;
};

/// Reads a group of a `FakeSource`.
class FakeRead : public GroupRead {
 public:
  FakeRead(std::vector<FakeEntry> entries, int32_t spec_id, const FileRequest& request, bool broken)
      : entries_(std::move(entries)), spec_id_(spec_id), request_(request), broken_(broken) {}
  void Fetch() override {
    if (broken_) throw Error(ErrorCode::kIo, "manifest 17 cannot be read");
  }
  std::shared_ptr<const FileBatch> Decode(const Context&) override {
    return std::make_shared<FakeBatch>(std::move(entries_), spec_id_, request_);
  }

 private:
  std::vector<FakeEntry> entries_;
  int32_t spec_id_;
  const FileRequest& request_;
  bool broken_;
};

/// A snapshot in memory.
class FakeSource : public SnapshotSource {
 public:
  explicit FakeSource(Schema schema) : schema_(std::move(schema)) {}

  void AddSpec(PartitionSpec spec) {
    const int32_t id = spec.spec_id;
    specs_[id] = std::move(spec);
  }
  /// Returns the group, to be changed at will before planning.
  FileGroup& AddGroup(int32_t spec_id, std::vector<FakeEntry> entries, bool deletes = false) {
    FileGroup& group = groups_.emplace_back();
    group.deletes = deletes;
    group.partition_spec_id = spec_id;
    group.live_files = static_cast<int64_t>(entries.size());
    entries_.push_back(std::move(entries));
    return group;
  }
  /// Reading that group throws.
  void Break(size_t group) { broken_ = group; }
  /// A field that the current schema lacks, but an earlier one had.
  void AddDroppedField(Field field) { dropped_ = std::move(field); }

  std::optional<int64_t> snapshot_id() const override { return 77; }
  const Schema& schema() const override { return schema_; }
  const Field* FindField(int32_t id) const override {
    return dropped_ && dropped_->id == id ? &*dropped_ : schema_.FindField(id);
  }
  const PartitionSpec& spec(int32_t spec_id) const override { return specs_.at(spec_id); }
  std::span<const FileGroup> groups() const override { return groups_; }
  const std::vector<FakeEntry>& entries(size_t group) const { return entries_.at(group); }
  bool fetching_waits() const override { return waits_; }
  /// Groups are fetched on threads of their own, as over a network.
  void LetFetchingWait() { waits_ = true; }
  /// How often a group was opened so far.
  int64_t groups_opened() const { return *opened_; }
  std::unique_ptr<GroupRead> OpenGroup(size_t group, const FileRequest& request) const override {
    ++*opened_;
    return std::make_unique<FakeRead>(entries_.at(group), groups_.at(group).partition_spec_id,
                                      request, group == broken_);
  }

 private:
  Schema schema_;
  std::map<int32_t, PartitionSpec> specs_;
  std::vector<FileGroup> groups_;
  std::vector<std::vector<FakeEntry>> entries_;
  std::optional<size_t> broken_;
  bool waits_ = false;
  std::shared_ptr<std::atomic<int64_t>> opened_ = std::make_shared<std::atomic<int64_t>>(0);
  std::optional<Field> dropped_;
};

/// The summaries that the specification asks a writer for: per partition field whether any value is
/// null or NaN, and bounds of the others.
inline std::vector<FieldSummary> Summarise(const PartitionSpec& spec, const Schema& schema,
                                           std::span<const FakeEntry> entries) {
  const Type type = spec.PartitionType(schema);
  std::vector<FieldSummary> summaries;
  for (size_t f = 0; f < spec.fields.size(); ++f) {
    FieldSummary& summary = summaries.emplace_back();
    summary.contains_null = false;
    summary.contains_nan = false;
    std::vector<ValueView> values;
    for (const FakeEntry& entry : entries) {
      const ValueView value = entry.file.partition.at(f).view();
      if (value.is_null()) {
        summary.contains_null = true;
      } else if (value.is_nan()) {
        summary.contains_nan = true;
      } else {
        values.push_back(value);
      }
    }
    if (values.empty() || type.fields()[f].type.id() == TypeId::kUnknown) continue;
    const auto less = [](const ValueView& a, const ValueView& b) {
      return CompareValues(a, b) < 0;
    };
    const auto [lower, upper] = std::minmax_element(values.begin(), values.end(), less);
    summary.lower_bound = EncodeSingleValue(type.fields()[f].type, *lower);
    summary.upper_bound = EncodeSingleValue(type.fields()[f].type, *upper);
  }
  return summaries;
}

}  // namespace nunatak
