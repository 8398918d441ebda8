#include "nunatak/delta/partial_batch.h"

namespace nunatak::delta {

namespace {

/// One tuple of nulls for all: nobody looks at it.
PartitionNumbers OneTuple(const TableSchema& table, size_t file_count) {
  PartitionNumbers partitions{PartitionTuples(table.spec.fields.size()), {}};
  const std::vector<ValueView> nulls(table.spec.fields.size());
  partitions.numbers.assign(file_count, partitions.tuples.NumberOf(nulls));
  return partitions;
}

}  // namespace

PartialBatch::PartialBatch(const TableSchema& table, size_t file_count,
                           const std::vector<std::vector<std::string_view>>* partitions,
                           FileStatistics* statistics, const FileRequest& request)
    : partitions_(partitions ? NumberPartitions(table, *partitions, file_count)
                             : OneTuple(table, file_count)) {
  if (statistics) {
    statistics->Index();
    record_counts = statistics->record_counts();
    metrics = statistics->MetricsOf(request.metric_ids, &unknown_);
  } else {
    // Without a count, nobody looks at metrics.
    no_counts_.assign(file_count, -1);
    record_counts = no_counts_;
    metrics.assign(request.metric_ids.size(), &unknown_);
  }
  partition_spec_id = table.spec.spec_id;
  tuple_count = partitions_.tuples.size();
  for (const std::vector<ValueView>& column : partitions_.tuples.columns()) {
    tuples.emplace_back(column);
  }
  tuple_numbers = partitions_.numbers;
}

}  // namespace nunatak::delta
