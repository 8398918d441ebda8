#include "nunatak/plan/file_subset.h"

#include <deque>
#include <span>
#include <string_view>
#include <utility>

namespace nunatak {
namespace {

template <typename T>
std::vector<T> Take(std::span<const T> values, std::span<const uint32_t> positions) {
  std::vector<T> taken;
  taken.reserve(positions.size());
  for (const uint32_t i : positions) taken.push_back(values[i]);
  return taken;
}

/// Bounds keep pointing into the whole column.
MetricColumn Take(const MetricColumn& column, std::span<const uint32_t> positions) {
  const auto take = [&](const auto& values) { return Take(std::span(values), positions); };
  return {.lower_bounds = take(column.lower_bounds),
          .upper_bounds = take(column.upper_bounds),
          .value_counts = take(column.value_counts),
          .null_value_counts = take(column.null_value_counts),
          .nan_value_counts = take(column.nan_value_counts),
          .bound_bytes = {}};
}

class FileSubset final : public FileBatch {
 public:
  FileSubset(std::shared_ptr<const FileBatch> batch, std::vector<uint32_t> positions)
      : batch_(std::move(batch)),
        positions_(std::move(positions)),
        contents_(Take(batch_->contents, positions_)),
        paths_(Take(batch_->file_paths, positions_)),
        record_counts_(Take(batch_->record_counts, positions_)),
        file_sizes_(Take(batch_->file_sizes, positions_)),
        sequence_numbers_(Take(batch_->data_sequence_numbers, positions_)),
        numbers_(Take(batch_->tuple_numbers, positions_)) {
    contents = contents_;
    file_paths = paths_;
    record_counts = record_counts_;
    file_sizes = file_sizes_;
    data_sequence_numbers = sequence_numbers_;
    partition_spec_id = batch_->partition_spec_id;
    tuple_count = batch_->tuple_count;
    tuples = batch_->tuples;
    tuple_numbers = numbers_;
    for (const MetricColumn* column : batch_->metrics) {
      metrics.push_back(&columns_.emplace_back(Take(*column, positions_)));
    }
  }

  void AppendFiles(std::span<const uint32_t> positions, bool column_metrics,
                   std::vector<DataFile>* files) const override {
    batch_->AppendFiles(Take(std::span<const uint32_t>(positions_), positions), column_metrics,
                        files);
  }
  std::shared_ptr<const DeleteFile> OwnDeletes(size_t i) const override {
    return batch_->OwnDeletes(positions_[i]);
  }
  std::optional<int64_t> FileSequenceNumber(size_t i) const override {
    return batch_->FileSequenceNumber(positions_[i]);
  }
  std::optional<int64_t> SnapshotId(size_t i) const override {
    return batch_->SnapshotId(positions_[i]);
  }
  bool IsAdded(size_t i) const override { return batch_->IsAdded(positions_[i]); }
  int64_t memory_bytes() const override { return batch_->memory_bytes(); }

 private:
  std::shared_ptr<const FileBatch> batch_;
  std::vector<uint32_t> positions_;
  std::vector<FileContent> contents_;
  std::vector<std::string_view> paths_;
  std::vector<int64_t> record_counts_, file_sizes_, sequence_numbers_;
  std::vector<uint32_t> numbers_;
  std::deque<MetricColumn> columns_;
};

}  // namespace

std::shared_ptr<const FileBatch> SubsetOf(std::shared_ptr<const FileBatch> batch,
                                          std::vector<uint32_t> positions) {
  if (positions.size() == batch->size()) return batch;
  return std::make_shared<FileSubset>(std::move(batch), std::move(positions));
}

}  // namespace nunatak
