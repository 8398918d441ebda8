#include "nunatak/plan/table_scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/plan/delete_index.h"
#include "nunatak/plan/encryption.h"
#include "nunatak/plan/equality_deletes.h"
#include "nunatak/plan/metrics_stats.h"
#include "nunatak/plan/partition_pruning.h"

namespace nunatak {
namespace {

using DeleteFiles = std::vector<std::shared_ptr<const DeleteFile>>;

/// How many groups per worker are planned before their tasks are handed out: what bounds memory.
constexpr size_t kGroupsPerWorker = 8;

/// What came out of one group.
struct GroupPlan {
  std::vector<FileScanTask> tasks;
  PlanCounts counts;
};

void AddCounts(const PlanCounts& from, PlanCounts* to) {
  to->data_files += from.data_files;
  to->pruned_by_partition += from.pruned_by_partition;
  to->pruned_by_metrics += from.pruned_by_metrics;
  to->planned_files += from.planned_files;
}

/// One plan in the making. `PlanGroup` runs on several threads at once and changes nothing.
class Planner {
 public:
  Planner(const Context& context, const SnapshotSource& source, const BoundFilter& filter)
      : context_(context),
        source_(source),
        filter_(filter),
        layout_(filter.columns, source.schema()) {
    for (const FileGroup& group : source.groups()) {
      const int32_t id = group.partition_spec_id;
      if (partition_filters_.contains(id)) continue;
      partition_filters_.try_emplace(id, filter, source.spec(id), source.schema());
    }
  }

  PlanCounts Run(const TableScan::TaskSink& sink) {
    const std::vector<size_t> delete_groups = SelectGroups(/*deletes=*/true);
    const std::vector<size_t> data_groups = SelectGroups(/*deletes=*/false);
    if (!data_groups.empty()) ReadDeletes(delete_groups);
    const size_t window = kGroupsPerWorker * static_cast<size_t>(context_.workers());
    for (size_t first = 0; first < data_groups.size(); first += window) {
      const size_t count = std::min(window, data_groups.size() - first);
      PlanWindow(std::span(data_groups).subspan(first, count), sink);
    }
    return counts_;
  }

 private:
  /// The groups that hold live files of the kind and that the partition summaries do not rule out.
  /// Safe for deletes too: they apply to their own partition alone, and a filter rules out no
  /// partition of an unpartitioned spec, whose equality deletes apply everywhere.
  std::vector<size_t> SelectGroups(bool deletes) {
    std::vector<size_t> selected;
    const std::span<const FileGroup> groups = source_.groups();
    for (size_t i = 0; i < groups.size(); ++i) {
      if (groups[i].deletes != deletes) continue;
      ++(deletes ? counts_.delete_groups : counts_.data_groups);
      if (groups[i].live_files && *groups[i].live_files == 0) continue;
      if (FilterOf(groups[i]).MayMatch(groups[i])) selected.push_back(i);
    }
    return selected;
  }

  const PartitionFilter& FilterOf(const FileGroup& group) const {
    return partition_filters_.at(group.partition_spec_id);
  }

  void ReadDeletes(const std::vector<size_t>& groups) {
    std::vector<DeleteFiles> read(groups.size());
    ParallelFor(context_, static_cast<int64_t>(groups.size()),
                [&](int64_t i) { read[i] = ReadDeleteGroup(groups[i]); });
    DeleteFiles files;
    for (DeleteFiles& group : read) {
      files.insert(files.end(), std::make_move_iterator(group.begin()),
                   std::make_move_iterator(group.end()));
    }
    counts_.delete_groups_read = static_cast<int64_t>(groups.size());
    counts_.delete_files = static_cast<int64_t>(files.size());
    deletes_ = DeleteIndex(std::move(files), source_);
  }

  DeleteFiles ReadDeleteGroup(size_t group) const {
    context_.CheckStop();
    const PartitionFilter& partitions = FilterOf(source_.groups()[group]);
    const std::shared_ptr<const FileBatch> batch =
        source_.ReadGroup(context_, group, {.metric_ids = {}, .partitions = partitions.prunes()});
    DeleteFiles files;
    for (size_t i = 0; i < batch->size(); ++i) {
      if (!partitions.MayMatch(*batch, i)) continue;
      auto file = std::make_shared<DeleteFile>();
      file->file = batch->File(i);
      file->data_sequence_number = batch->data_sequence_numbers[i];
      if (MayDeleteMatching(file->file, filter_, layout_)) files.push_back(std::move(file));
    }
    return files;
  }

  void PlanWindow(std::span<const size_t> groups, const TableScan::TaskSink& sink) {
    std::vector<GroupPlan> plans(groups.size());
    ParallelFor(context_, static_cast<int64_t>(groups.size()),
                [&](int64_t i) { plans[i] = PlanGroup(groups[i]); });
    for (GroupPlan& plan : plans) {
      ++counts_.data_groups_read;
      AddCounts(plan.counts, &counts_);
      for (FileScanTask& task : plan.tasks) sink(std::move(task));
      plan.tasks = {};
    }
  }

  GroupPlan PlanGroup(size_t group) const {
    context_.CheckStop();
    const PartitionFilter& partitions = FilterOf(source_.groups()[group]);
    const std::shared_ptr<const FileBatch> batch = source_.ReadGroup(
        context_, group, {.metric_ids = layout_.field_ids(), .partitions = partitions.prunes()});
    GroupPlan plan;
    plan.counts.data_files = static_cast<int64_t>(batch->size());
    ResidualMemo residuals(partitions);
    for (size_t i = 0; i < batch->size(); ++i) {
      if (!partitions.MayMatch(*batch, i)) {
        ++plan.counts.pruned_by_partition;
      } else if (!MayMatchMetrics(*batch, i)) {
        ++plan.counts.pruned_by_metrics;
      } else {
        AddTask(*batch, i, partitions, &residuals, &plan);
      }
    }
    plan.counts.planned_files = static_cast<int64_t>(plan.tasks.size());
    return plan;
  }

  /// A file without rows matches no filter, but belongs to a scan of everything. A negative row
  /// count says that the writer counted nothing, and then its metrics are not to be trusted either.
  bool MayMatchMetrics(const FileBatch& batch, size_t i) const {
    if (filter_.is_true() || batch.record_counts[i] < 0) return true;
    if (batch.record_counts[i] == 0) return false;
    return Evaluate(filter_, BatchFileStats(layout_, batch, i), Mode::kInclusive);
  }

  void AddTask(const FileBatch& batch, size_t i, const PartitionFilter& partitions,
               ResidualMemo* residuals, GroupPlan* plan) const {
    if (batch.contents[i] != FileContent::kData) {
      ThrowInvalid(
          fmt::format("delete file listed among the data files: {}", batch.File(i).file_path));
    }
    auto file = std::make_shared<DataFile>(batch.File(i));
    RefuseEncrypted(*file);
    FileScanTask task;
    task.residual = residuals->ResidualFor(*file);
    if (task.residual->is_false()) {
      ++plan->counts.pruned_by_partition;
      return;
    }
    task.data_sequence_number = batch.data_sequence_numbers[i];
    task.spec = partitions.spec();
    task.deletes = deletes_.DeletesFor(*file, task.data_sequence_number);
    task.length = file->file_size_in_bytes;
    task.data_file = std::move(file);
    plan->tasks.push_back(std::move(task));
  }

  const Context& context_;
  const SnapshotSource& source_;
  const BoundFilter& filter_;
  MetricsLayout layout_;
  std::unordered_map<int32_t, PartitionFilter> partition_filters_;
  DeleteIndex deletes_;
  PlanCounts counts_;
};

}  // namespace

TableScan::TableScan(std::shared_ptr<const SnapshotSource> source, BoundFilter filter)
    : source_(std::move(source)), filter_(std::move(filter)) {}

PlanCounts TableScan::Plan(const Context& context, const TaskSink& sink) const {
  return Planner(context, *source_, filter_).Run(sink);
}

TableScan::Result TableScan::PlanFiles(const Context& context) const {
  Result result;
  result.counts =
      Plan(context, [&](FileScanTask task) { result.tasks.push_back(std::move(task)); });
  return result;
}

}  // namespace nunatak
