#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "nunatak/base/context.h"
#include "nunatak/base/ordered_pipeline.h"
#include "nunatak/expr/bound_filter.h"
#include "nunatak/plan/delete_index.h"
#include "nunatak/plan/file_selection.h"
#include "nunatak/plan/metrics_stats.h"
#include "nunatak/plan/partition_pruning.h"
#include "nunatak/plan/snapshot_source.h"

namespace nunatak {

/// Which groups of a snapshot a filter needs, and what its files come to. `Select` may run on
/// several threads at once once the deletes were read.
class GroupPlanner {
 public:
  /// `column_metrics`: whether files will be appended with them.
  GroupPlanner(std::shared_ptr<const SnapshotSource> source,
               std::shared_ptr<const BoundFilter> filter, bool column_metrics);

  /// The groups that hold live files of the kind and that the partition summaries do not rule out.
  /// Safe for deletes too: they apply to their own partition alone, and a filter rules out no
  /// partition of an unpartitioned spec, whose equality deletes apply everywhere.
  std::vector<size_t> ChooseGroups(bool deletes);

  /// Reads the delete groups into the index that `deletes()` gives. Its position delete files carry
  /// their column metrics if asked to; equality delete files do in any case. `files`, unless it is
  /// null, gets the files of the index in the order of the groups.
  void ReadDeletes(const Context& context, const std::vector<size_t>& groups,
                   std::vector<std::shared_ptr<const DeleteFile>>* files = nullptr);

  /// `counts()` with the seconds that the stages of reading groups took so far.
  PlanCounts CountsSoFar() const;

  /// Lets sources leave out files that the filter rules out before they decode all that they know
  /// of them. After `ReadDeletes`, before `Read`.
  void LeaveOutEarly();

  /// A pipeline over groups that calls `done(position, batch)` for each, on several threads.
  std::unique_ptr<OrderedPipeline> Read(
      const Context& context, const std::vector<size_t>& groups,
      std::function<void(size_t, std::shared_ptr<const FileBatch>)> done);

  FileSelection Select(size_t group, std::shared_ptr<const FileBatch> batch) const;

  const SnapshotSource& source() const { return *source_; }
  const DeleteIndex& deletes() const { return deletes_; }
  const MetricsLayout& layout() const { return layout_; }
  const PartitionFilter& FilterOf(int32_t spec_id) const { return partition_filters_.at(spec_id); }
  PlanCounts& counts() { return counts_; }

 private:
  /// The delete files of a group that the filter does not rule out.
  struct DeleteGroup {
    std::shared_ptr<const FileBatch> batch;
    std::vector<uint32_t> positions;
    std::vector<std::shared_ptr<const DeleteFile>> files;
  };
  DeleteGroup SelectDeletes(std::shared_ptr<const FileBatch> batch) const;
  void AddToIndex(DeleteGroup group);
  std::unique_ptr<OrderedPipeline> Read(
      const Context& context, const std::vector<size_t>& groups, const FileRequest& request,
      std::function<void(size_t, std::shared_ptr<const FileBatch>)> done);

  std::shared_ptr<const SnapshotSource> source_;
  std::shared_ptr<const BoundFilter> filter_;
  bool column_metrics_;
  MetricsLayout layout_;
  FileRequest request_;
  FileRequest delete_request_{.metric_ids = {kDeletePathColumnId}};
  std::unordered_map<int32_t, PartitionFilter> partition_filters_;
  DeleteIndex deletes_;
  PlanCounts counts_;
  /// Nanoseconds, added up by the threads.
  std::atomic<int64_t> fetch_time_ = 0;
  std::atomic<int64_t> decode_time_ = 0;
  std::atomic<int64_t> select_time_ = 0;
};

}  // namespace nunatak
