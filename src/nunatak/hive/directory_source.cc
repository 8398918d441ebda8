#include <algorithm>
#include <deque>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "nunatak/hive/data_file.h"
#include "nunatak/hive/load_files.h"
#include "nunatak/hive/table.h"
#include "nunatak/plan/file_batch.h"
#include "nunatak/plan/partition_tuples.h"
#include "nunatak/table/single_value.h"

namespace nunatak::hive {

namespace {

constexpr int32_t kSummarySpecId = 1;

/// Files of one directory, which share their partition.
class DirectoryBatch final : public FileBatch {
 public:
  DirectoryBatch(std::shared_ptr<const std::vector<DataFile>> files, std::vector<uint32_t> chosen,
                 int32_t spec_id, const FileRequest& request)
      : files_(std::move(files)), chosen_(std::move(chosen)), zeros_(chosen_.size(), 0) {
    for (const uint32_t i : chosen_) AddFile((*files_)[i]);
    const std::vector<int32_t>& ids = request.metric_ids;
    for (const int32_t id : ids) AddMetrics(id);
    contents = contents_;
    file_paths = paths_;
    record_counts = record_counts_;
    file_sizes = sizes_;
    data_sequence_numbers = sequence_numbers_;
    partition_spec_id = spec_id;
    tuple_count = chosen_.empty() ? 0 : 1;
    if (!chosen_.empty()) {
      for (const Value& value : FileAt(0).partition) tuple_.push_back({value.view()});
    }
    for (const std::vector<ValueView>& value : tuple_) tuples.emplace_back(value);
    tuple_numbers = zeros_;
  }

  void AppendFiles(std::span<const uint32_t> positions, bool column_metrics,
                   std::vector<DataFile>* files) const override {
    for (const uint32_t i : positions) {
      DataFile& file = files->emplace_back(FileAt(i));
      file.partition_spec_id = partition_spec_id;
      if (column_metrics) continue;
      file.metrics.clear();
      file.metric_maps = 0;
    }
  }
  std::optional<int64_t> FileSequenceNumber(size_t /*i*/) const override { return std::nullopt; }
  std::optional<int64_t> SnapshotId(size_t /*i*/) const override { return std::nullopt; }
  bool IsAdded(size_t /*i*/) const override { return false; }
  int64_t memory_bytes() const override {
    return static_cast<int64_t>(chosen_.size() * (sizeof(DataFile) + metrics.size() * 64));
  }

 private:
  const DataFile& FileAt(size_t i) const { return (*files_)[chosen_[i]]; }

  void AddFile(const DataFile& file) {
    contents_.push_back(file.content);
    paths_.push_back(file.file_path);
    record_counts_.push_back(file.record_count);
    sizes_.push_back(file.file_size_in_bytes);
    sequence_numbers_.push_back(0);
  }

  void AddMetrics(int32_t id) {
    MetricColumn& column = columns_.emplace_back();
    metrics.push_back(&column);
    const auto bound = [](const std::optional<std::string>& bytes) {
      return bytes ? AsBytes(*bytes) : ByteSpan();
    };
    static const ColumnMetrics kNone;
    for (const uint32_t i : chosen_) {
      const ColumnMetrics* found = (*files_)[i].FindMetrics(id);
      const ColumnMetrics& recorded = found ? *found : kNone;
      column.lower_bounds.push_back(bound(recorded.lower_bound));
      column.upper_bounds.push_back(bound(recorded.upper_bound));
      column.value_counts.push_back(recorded.value_count.value_or(-1));
      column.null_value_counts.push_back(recorded.null_value_count.value_or(-1));
      column.nan_value_counts.push_back(recorded.nan_value_count.value_or(-1));
    }
  }

  std::shared_ptr<const std::vector<DataFile>> files_;
  /// Those of `files_` that the batch has.
  std::vector<uint32_t> chosen_;
  std::vector<FileContent> contents_;
  std::vector<std::string_view> paths_;
  std::vector<int64_t> record_counts_;
  std::vector<int64_t> sizes_;
  std::vector<int64_t> sequence_numbers_;
  std::vector<std::vector<ValueView>> tuple_;
  std::vector<uint32_t> zeros_;
  std::deque<MetricColumn> columns_;
};

class DirectoryRead final : public GroupRead {
 public:
  DirectoryRead(const Table& table, const Directory& directory, EmptyFiles empty_files,
                const FileRequest& request)
      : table_(table), directory_(directory), empty_files_(empty_files), request_(request) {}

  void Fetch() override { files_ = LoadDataFiles(table_, directory_); }

  std::shared_ptr<const FileBatch> Decode(const Context& /*context*/) override {
    std::vector<uint32_t> chosen;
    for (uint32_t i = 0; i < files_->size(); ++i) {
      const bool empty = (*files_)[i].record_count == 0;
      if (!empty || empty_files_ == EmptyFiles::kInclude) chosen.push_back(i);
    }
    return std::make_shared<DirectoryBatch>(files_, std::move(chosen), table_.spec.spec_id,
                                            request_);
  }

 private:
  const Table& table_;
  const Directory& directory_;
  EmptyFiles empty_files_;
  const FileRequest& request_;
  std::shared_ptr<const std::vector<DataFile>> files_;
};

/// The summary files, which belong to no partition.
class SummaryRead final : public GroupRead {
 public:
  SummaryRead(const Table& table, const FileRequest& request) : table_(table), request_(request) {}

  void Fetch() override {}

  std::shared_ptr<const FileBatch> Decode(const Context& /*context*/) override {
    auto files = std::make_shared<std::vector<DataFile>>();
    std::vector<uint32_t> chosen;
    for (const FileInfo& file : table_.summary_files) {
      chosen.push_back(static_cast<uint32_t>(files->size()));
      files->push_back(MakeDataFile(table_, {}, file, nullptr));
    }
    return std::make_shared<DirectoryBatch>(std::move(files), std::move(chosen), kSummarySpecId,
                                            request_);
  }

 private:
  const Table& table_;
  const FileRequest& request_;
};

/// What is known of the partition of a directory: its values.
std::vector<FieldSummary> SummariesOf(const Type& type, const PartitionValues& partition) {
  std::vector<FieldSummary> summaries;
  for (size_t i = 0; i < partition.size(); ++i) {
    FieldSummary& summary = summaries.emplace_back();
    const Value& value = partition[i];
    summary.contains_null = value.is_null();
    summary.contains_nan = value.view().is_nan();
    if (value.is_null() || *summary.contains_nan) continue;
    summary.lower_bound = EncodeSingleValue(type.fields()[i].type, value.view());
    summary.upper_bound = summary.lower_bound;
  }
  return summaries;
}

class DirectorySource final : public SnapshotSource {
 public:
  DirectorySource(const Table& table, EmptyFiles empty_files)
      : table_(table), empty_files_(empty_files), summary_spec_{.spec_id = kSummarySpecId} {
    for (const Directory& directory : *table_.directories) {
      FileGroup& group = groups_.emplace_back();
      if (!table_.spec.fields.empty()) {
        group.partitions = SummariesOf(table_.partition_type, directory.partition);
      }
      if (directory.data_files) group.live_files = LiveFiles(*directory.data_files);
    }
    if (empty_files == EmptyFiles::kInclude && !table_.summary_files.empty()) {
      groups_.push_back({.partition_spec_id = kSummarySpecId});
    }
  }

  std::optional<int64_t> snapshot_id() const override { return std::nullopt; }
  const Schema& schema() const override { return table_.schema; }
  const PartitionSpec& spec(int32_t spec_id) const override {
    return spec_id == kSummarySpecId ? summary_spec_ : table_.spec;
  }
  std::span<const FileGroup> groups() const override { return groups_; }
  bool fetching_waits() const override { return table_.io->waits(); }

  std::unique_ptr<GroupRead> OpenGroup(size_t group, const FileRequest& request) const override {
    const std::vector<Directory>& directories = *table_.directories;
    if (group == directories.size()) return std::make_unique<SummaryRead>(table_, request);
    return std::make_unique<DirectoryRead>(table_, directories[group], empty_files_, request);
  }

 private:
  int64_t LiveFiles(const std::vector<DataFile>& files) const {
    if (empty_files_ == EmptyFiles::kInclude) return static_cast<int64_t>(files.size());
    return std::count_if(files.begin(), files.end(),
                         [](const DataFile& file) { return file.record_count != 0; });
  }

  Table table_;
  EmptyFiles empty_files_;
  PartitionSpec summary_spec_;
  std::vector<FileGroup> groups_;
};

}  // namespace

std::shared_ptr<const SnapshotSource> MakeSnapshotSource(const Table& table,
                                                         EmptyFiles empty_files) {
  return std::make_shared<DirectorySource>(table, empty_files);
}

}  // namespace nunatak::hive
