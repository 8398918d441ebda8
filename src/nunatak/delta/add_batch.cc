#include "nunatak/delta/add_batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/delta/file_path.h"

namespace nunatak::delta {

namespace {

std::optional<int64_t> IfKnown(int64_t count) {
  return count < 0 ? std::nullopt : std::optional(count);
}

std::optional<std::string> BytesOf(ByteSpan bound) {
  if (bound.data() == nullptr) return std::nullopt;
  return std::string(AsText(bound));
}

/// Value counts, null counts, lower and upper bounds.
constexpr uint8_t kMetricMaps = 0b110110;

}  // namespace

AddBatch::AddBatch(std::string_view root, const TableSchema& table,
                   std::shared_ptr<const AddFiles> files, FileStatistics statistics,
                   const FileRequest& request, LeftOutFiles others)
    : root_(root),
      files_(std::move(files)),
      statistics_(std::move(statistics)),
      contents_(files_->size(), FileContent::kData),
      partitions_(NumberPartitions(table, files_->partition_values, files_->size())) {
  MakePaths();
  for (size_t t = 0; t < partitions_.tuples.size(); ++t) {
    std::vector<Value> values;
    for (const auto& column : partitions_.tuples.columns()) values.push_back(Value::Of(column[t]));
    tuple_values_.emplace_back(std::move(values));
  }
  for (const int64_t version : files_->commit_versions) {
    sequence_numbers_.push_back(std::max<int64_t>(version, 0));
  }
  left_out = others;
  contents = contents_;
  file_paths = paths_;
  record_counts = statistics_.record_counts();
  file_sizes = files_->sizes;
  data_sequence_numbers = sequence_numbers_;
  partition_spec_id = table.spec.spec_id;
  tuple_count = partitions_.tuples.size();
  for (const std::vector<ValueView>& column : partitions_.tuples.columns()) {
    tuples.emplace_back(column);
  }
  tuple_numbers = partitions_.numbers;
  metrics = statistics_.MetricsOf(request.metric_ids, &unknown_);
  memory_bytes_ = files_->memory_bytes() + statistics_.memory_bytes() +
                  static_cast<int64_t>(path_bytes_.size() + size() * 40);
}

void AddBatch::MakePaths() {
  std::vector<size_t> ends;
  ends.reserve(files_->size());
  for (const std::string_view path : files_->paths) {
    path_bytes_ += ResolvePath(root_, path);
    ends.push_back(path_bytes_.size());
  }
  paths_.reserve(files_->size());
  size_t begin = 0;
  for (const size_t end : ends) {
    paths_.push_back(std::string_view(path_bytes_).substr(begin, end - begin));
    begin = end;
  }
}

void AddBatch::AppendFiles(std::span<const uint32_t> positions, bool column_metrics,
                           std::vector<DataFile>* out) const {
  for (const uint32_t i : positions) {
    DataFile& file = out->emplace_back();
    file.file_path = paths_[i];
    file.file_format = FileFormat::kParquet;
    file.partition_spec_id = partition_spec_id;
    file.partition = tuple_values_[tuple_numbers[i]];
    file.record_count = record_counts[i];
    file.file_size_in_bytes = files_->sizes[i];
    file.first_row_id = IfKnown(files_->base_row_ids[i]);
    if (column_metrics) AppendMetrics(i, &file);
  }
}

void AddBatch::AppendMetrics(size_t i, DataFile* file) const {
  file->metric_maps = kMetricMaps;
  for (size_t c = 0; c < statistics_.columns().size(); ++c) {
    const MetricColumn& column = statistics_.metrics()[c];
    ColumnMetrics metrics{.field_id = statistics_.columns()[c].field_id,
                          .value_count = IfKnown(column.value_counts[i]),
                          .null_value_count = IfKnown(column.null_value_counts[i]),
                          .lower_bound = BytesOf(column.lower_bounds[i]),
                          .upper_bound = BytesOf(column.upper_bounds[i])};
    if (metrics.value_count || metrics.lower_bound || metrics.upper_bound) {
      file->metrics.push_back(std::move(metrics));
    }
  }
}

std::shared_ptr<const DeleteFile> AddBatch::OwnDeletes(size_t i) const {
  const DeletionVectorDescriptor* vector = files_->VectorOf(i);
  if (vector == nullptr) return nullptr;
  auto deletes = DeleteFileOf(*vector, root_, paths_[i]);
  deletes->file.partition_spec_id = partition_spec_id;
  deletes->file.partition = tuple_values_[tuple_numbers[i]];
  deletes->data_sequence_number = sequence_numbers_[i];
  return deletes;
}

}  // namespace nunatak::delta
