#include "nunatak/plan/file_selection.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "nunatak/expr/evaluate.h"

namespace nunatak {
namespace {

/// A negative row count says that the writer counted nothing, and then its metrics are not to be
/// trusted either.
bool MayMatchMetrics(const FileBatch& batch, const BoundFilter& filter, const MetricsLayout& layout,
                     size_t i) {
  if (batch.record_counts[i] < 0) return true;
  if (batch.record_counts[i] == 0) return false;
  return Evaluate(filter, BatchFileStats(layout, batch, i), Mode::kInclusive);
}

void SelectAll(const PartitionFilter& partitions, FileSelection* selection) {
  selection->files.resize(selection->batch->size());
  std::iota(selection->files.begin(), selection->files.end(), 0);
  selection->residuals.assign(selection->batch->tuple_count, partitions.only_residual());
}

void SelectMatching(const FileBatch& batch, const BoundFilter& filter, const MetricsLayout& layout,
                    const PartitionFilter& partitions, FileSelection* selection) {
  std::vector<uint8_t> tuple_may_match(batch.tuple_count);
  for (size_t t = 0; t < batch.tuple_count; ++t) {
    tuple_may_match[t] = partitions.MayMatch(batch, t) ? 1 : 0;
  }
  selection->residuals.resize(batch.tuple_count);
  for (uint32_t i = 0; i < batch.size(); ++i) {
    const uint32_t tuple = batch.tuple_numbers[i];
    if (tuple_may_match[tuple] == 0) {
      ++selection->counts.pruned_by_partition;
    } else if (!MayMatchMetrics(batch, filter, layout, i)) {
      ++selection->counts.pruned_by_metrics;
    } else {
      std::shared_ptr<const BoundFilter>& residual = selection->residuals[tuple];
      if (!residual) residual = partitions.ResidualFor(batch, tuple);
      if (residual->is_false()) {
        ++selection->counts.pruned_by_partition;
      } else {
        selection->files.push_back(i);
      }
    }
  }
}

}  // namespace

FileSelection SelectFiles(std::shared_ptr<const FileBatch> batch, const BoundFilter& filter,
                          const MetricsLayout& layout, const PartitionFilter& partitions) {
  FileSelection selection;
  selection.batch = std::move(batch);
  if (filter.is_true()) {
    SelectAll(partitions, &selection);
  } else {
    SelectMatching(*selection.batch, filter, layout, partitions, &selection);
  }
  PlanCounts& counts = selection.counts;
  const LeftOutFiles& left_out = selection.batch->left_out;
  counts.data_files =
      static_cast<int64_t>(selection.batch->size()) + left_out.by_partition + left_out.by_metrics;
  counts.pruned_by_partition += left_out.by_partition;
  counts.pruned_by_metrics += left_out.by_metrics;
  counts.planned_files = static_cast<int64_t>(selection.files.size());
  for (uint32_t i : selection.files) {
    counts.planned_bytes += selection.batch->file_sizes[i];
    counts.planned_records += std::max<int64_t>(selection.batch->record_counts[i], 0);
  }
  return selection;
}

std::vector<uint32_t> FilesThatMayMatch(const FileBatch& batch, const BoundFilter& filter,
                                        const MetricsLayout& layout,
                                        const PartitionFilter& partitions) {
  FileSelection selection;
  SelectMatching(batch, filter, layout, partitions, &selection);
  return std::move(selection.files);
}

}  // namespace nunatak
