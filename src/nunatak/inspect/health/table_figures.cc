#include "nunatak/inspect/health/table_figures.h"

#include <utility>

namespace nunatak {

void PartitionFigures::Merge(const PartitionFigures& other) {
  name = other.name;
  spec_id = other.spec_id;
  files += other.files;
  AddClaimed(other.bytes, &bytes);
  AddClaimed(other.records, &records);
  small_files += other.small_files;
  AddClaimed(other.small_bytes, &small_bytes);
}

void DataFileFigures::Merge(DataFileFigures&& other) {
  files += other.files;
  AddClaimed(other.bytes, &bytes);
  AddClaimed(other.records, &records);
  small_files += other.small_files;
  for (size_t i = 0; i < by_size.size(); ++i) by_size[i] += other.by_size[i];
  for (const auto& [spec, count] : other.files_by_spec) files_by_spec[spec] += count;
  for (auto& [key, partition] : other.partitions) partitions[key].Merge(partition);
}

}  // namespace nunatak
