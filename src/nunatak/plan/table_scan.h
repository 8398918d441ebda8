#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/expr/bound_filter.h"
#include "nunatak/plan/file_scan_task.h"
#include "nunatak/plan/snapshot_source.h"

namespace nunatak {

/// What a plan looked at and what it left out.
struct PlanCounts {
  int64_t data_groups = 0;  ///< Groups of data files in the snapshot.
  int64_t delete_groups = 0;
  int64_t data_groups_read = 0;  ///< Those that the partition summaries did not rule out.
  int64_t delete_groups_read = 0;
  int64_t data_files = 0;    ///< Live data files in the groups that were read.
  int64_t delete_files = 0;  ///< Delete files among which those of each task were looked for.
  int64_t pruned_by_partition = 0;
  int64_t pruned_by_metrics = 0;
  int64_t planned_files = 0;
};

/// Plans the scan of one snapshot: prunes groups by partition summaries and files by partition
/// tuples and metrics, attaches deletes, computes residuals. Tasks come out in the order of the
/// groups and of the files in them, whatever runs in parallel.
class NUNATAK_EXPORT TableScan {
 public:
  /// `filter` is bound to `source->schema()`.
  TableScan(std::shared_ptr<const SnapshotSource> source, BoundFilter filter);

  using TaskSink = std::function<void(FileScanTask)>;
  /// Calls `sink` for each task, on the calling thread.
  PlanCounts Plan(const Context& context, const TaskSink& sink) const;

  struct Result {
    std::vector<FileScanTask> tasks;
    PlanCounts counts;
  };
  /// `Plan`, collected.
  Result PlanFiles(const Context& context) const;

  const BoundFilter& filter() const { return filter_; }
  const SnapshotSource& source() const { return *source_; }

 private:
  std::shared_ptr<const SnapshotSource> source_;
  BoundFilter filter_;
};

}  // namespace nunatak
