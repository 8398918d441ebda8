#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/expr/bound_filter.h"
#include "nunatak/plan/file_batch.h"
#include "nunatak/plan/metrics_stats.h"
#include "nunatak/plan/partition_pruning.h"
#include "nunatak/plan/plan_counts.h"

namespace nunatak {

/// The files of one group that a filter does not rule out, as views into the batch.
struct NUNATAK_EXPORT FileSelection {
  /// The group's position among `SnapshotSource::groups()`.
  size_t group = 0;
  std::shared_ptr<const FileBatch> batch;
  /// Positions in the batch, ascending.
  std::vector<uint32_t> files;
  /// What is left of the filter, by tuple number; null for tuples without a selected file.
  std::vector<std::shared_ptr<const BoundFilter>> residuals;
  /// `data_files`, what was pruned by what, and what of the planned files is known here.
  PlanCounts counts;

  const std::shared_ptr<const BoundFilter>& residual_of(uint32_t file) const {
    return residuals[batch->tuple_numbers[file]];
  }
};

/// Selects the files of a batch by partition tuple and by metrics. `partitions` is of the batch's
/// spec; the batch was requested with `layout.field_ids()`. A file without rows matches no filter,
/// but belongs to a scan of everything.
NUNATAK_EXPORT FileSelection SelectFiles(std::shared_ptr<const FileBatch> batch,
                                         const BoundFilter& filter, const MetricsLayout& layout,
                                         const PartitionFilter& partitions);

/// The files that `SelectFiles` selects, of a batch that has no more than partition tuples, record
/// counts and metrics.
NUNATAK_EXPORT std::vector<uint32_t> FilesThatMayMatch(const FileBatch& batch,
                                                       const BoundFilter& filter,
                                                       const MetricsLayout& layout,
                                                       const PartitionFilter& partitions);

}  // namespace nunatak
