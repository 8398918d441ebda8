#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "nunatak/inspect/tables/file_records.h"
#include "nunatak/table/data_file.h"

namespace nunatak {

/// Files that are objects already: those of formats without manifests.
class DataFileRecords final : public FileRecords {
 public:
  /// All files are of the spec.
  DataFileRecords(std::vector<DataFile> files, PartitionSpec spec)
      : files_(std::move(files)), spec_(std::move(spec)) {}

  size_t size() const override { return files_.size(); }
  const PartitionSpec& spec() const override { return spec_; }
  ValueView Scalar(ContentFileId field, size_t file) const override;
  bool Numbers(ContentFileId field, size_t file, std::vector<int64_t>* numbers) const override;
  ValueView Partition(size_t place, size_t file) const override;
  bool HasMetrics(MetricMap map, size_t file) const override;
  void AppendMetrics(MetricMap map, size_t file, std::vector<MetricPair>* pairs) const override;
  void AddPlace(size_t file, Error* error) const override;

 private:
  std::vector<DataFile> files_;
  PartitionSpec spec_;
};

}  // namespace nunatak
