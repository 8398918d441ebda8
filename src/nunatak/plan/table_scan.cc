#include "nunatak/plan/table_scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/base/ordered_pipeline.h"
#include "nunatak/plan/delete_index.h"
#include "nunatak/plan/encryption.h"
#include "nunatak/plan/group_planner.h"

namespace nunatak {
namespace {

/// What the tasks of one group share, in one piece of memory: they are made by one thread, which
/// then counts references that no other thread touches.
struct GroupShare {
  std::shared_ptr<const PartitionSpec> spec;
  std::vector<std::shared_ptr<const BoundFilter>> residuals;
  std::vector<DataFile> files;
};

void RequireData(const DataFile& file) {
  if (file.is_data()) return;
  ThrowInvalid(fmt::format("delete file listed among the data files: {}", file.file_path));
}

/// Turns selected files into tasks; `selection` keeps its counts.
std::vector<FileScanTask> MakeTasks(const GroupPlanner& planner, const PlanOptions& options,
                                    FileSelection* selection) {
  const FileBatch& batch = *selection->batch;
  const DeleteLookup lookup(planner.deletes(), batch, planner.layout());
  auto share = std::make_shared<GroupShare>();
  share->spec = planner.FilterOf(batch.partition_spec_id).spec();
  share->residuals = std::move(selection->residuals);
  share->files.reserve(selection->files.size());
  batch.AppendFiles(selection->files, options.column_metrics, &share->files);
  std::vector<FileScanTask> tasks(selection->files.size());
  for (size_t k = 0; k < tasks.size(); ++k) {
    const uint32_t i = selection->files[k];
    const DataFile& file = share->files[k];
    RequireData(file);
    RefuseEncrypted(file);
    FileScanTask& task = tasks[k];
    task.data_file = {share, &file};
    task.data_sequence_number = batch.data_sequence_numbers[i];
    task.spec = {share, share->spec.get()};
    task.residual = {share, share->residuals[batch.tuple_numbers[i]].get()};
    task.deletes = lookup.DeletesFor(i);
    if (auto own = batch.OwnDeletes(i)) task.deletes.push_back(std::move(own));
    task.length = file.file_size_in_bytes;
    selection->counts.delete_references += static_cast<int64_t>(task.deletes.size());
  }
  return tasks;
}

/// What both streams have in common: the groups of data files, selected ahead of the caller.
/// `Made` is what is kept of a group until the caller takes it.
template <typename Made>
class GroupStream {
 public:
  GroupStream(const Context& context, std::shared_ptr<const SnapshotSource> source,
              std::shared_ptr<const BoundFilter> filter, const PlanOptions& options,
              std::function<Made(const GroupPlanner&, FileSelection)> make)
      : start_(std::chrono::steady_clock::now()),
        planner_(std::move(source), std::move(filter), options.column_metrics),
        make_(std::move(make)) {
    const std::vector<size_t> delete_groups = planner_.ChooseGroups(/*deletes=*/true);
    groups_ = planner_.ChooseGroups(/*deletes=*/false);
    if (!groups_.empty()) planner_.ReadDeletes(context, delete_groups);
    planner_.LeaveOutEarly();
    made_.resize(groups_.size());
    pipeline_ =
        planner_.Read(context, groups_, [this](size_t i, std::shared_ptr<const FileBatch> batch) {
          made_[i].emplace(make_(planner_, planner_.Select(groups_[i], std::move(batch))));
        });
  }

  std::optional<Made> Next() {
    const std::optional<size_t> i = pipeline_->Next();
    if (!i) return std::nullopt;
    std::optional<Made> made = std::exchange(made_[*i], std::nullopt);
    PlanCounts& counts = planner_.counts();
    ++counts.data_groups_read;
    counts.AddFiles(made->counts);
    counts.peak_window_bytes = pipeline_->peak_bytes();
    return made;
  }

  PlanCounts counts() const {
    PlanCounts counts = planner_.CountsSoFar();
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
    counts.seconds = elapsed.count();
    return counts;
  }

 private:
  std::chrono::steady_clock::time_point start_;
  GroupPlanner planner_;
  std::function<Made(const GroupPlanner&, FileSelection)> make_;
  std::vector<size_t> groups_;
  std::vector<std::optional<Made>> made_;
  /// Last: it ends the work that uses the others.
  std::unique_ptr<OrderedPipeline> pipeline_;
};

struct GroupTasks {
  std::vector<FileScanTask> tasks;
  PlanCounts counts;
};

class PlannedTasks final : public PlanStream {
 public:
  PlannedTasks(const Context& context, std::shared_ptr<const SnapshotSource> source,
               std::shared_ptr<const BoundFilter> filter, PlanOptions options)
      : limit_(filter->is_true() ? options.limit : std::nullopt),
        groups_(context, std::move(source), std::move(filter), options,
                [options](const GroupPlanner& planner, FileSelection selection) {
                  GroupTasks group;
                  group.tasks = MakeTasks(planner, options, &selection);
                  group.counts = selection.counts;
                  return group;
                }) {}

  std::vector<FileScanTask> NextGroup() override {
    while (!HasEnough()) {
      std::optional<GroupTasks> group = groups_.Next();
      if (!group) break;
      if (limit_) Cut(&group->tasks);
      if (!group->tasks.empty()) return std::move(group->tasks);
    }
    return {};
  }
  PlanCounts counts() const override { return groups_.counts(); }

 private:
  bool HasEnough() const { return limit_ && rows_ >= *limit_; }

  /// Drops the tasks that the limit makes needless. How many rows deletes leave is not known.
  void Cut(std::vector<FileScanTask>* tasks) {
    size_t kept = 0;
    for (; kept < tasks->size() && !HasEnough(); ++kept) {
      const FileScanTask& task = (*tasks)[kept];
      if (task.deletes.empty()) rows_ += std::max<int64_t>(task.data_file->record_count, 0);
    }
    tasks->resize(kept);
  }

  std::optional<int64_t> limit_;
  /// Rows that the tasks so far certainly have.
  int64_t rows_ = 0;
  GroupStream<GroupTasks> groups_;
};

class PlannedSelections final : public SelectionStream {
 public:
  PlannedSelections(const Context& context, std::shared_ptr<const SnapshotSource> source,
                    std::shared_ptr<const BoundFilter> filter, const PlanOptions& options)
      : groups_(context, std::move(source), std::move(filter), options,
                [](const GroupPlanner&, FileSelection selection) { return selection; }) {}

  std::optional<FileSelection> Next() override { return groups_.Next(); }
  PlanCounts counts() const override { return groups_.counts(); }

 private:
  GroupStream<FileSelection> groups_;
};

}  // namespace

std::optional<FileScanTask> PlanStream::Next() {
  if (next_ == tasks_.size()) {
    tasks_ = NextGroup();
    next_ = 0;
    if (tasks_.empty()) return std::nullopt;
  }
  return std::move(tasks_[next_++]);
}

TableScan::TableScan(std::shared_ptr<const SnapshotSource> source, BoundFilter filter,
                     PlanOptions options)
    : source_(std::move(source)),
      filter_(std::make_shared<const BoundFilter>(std::move(filter))),
      options_(options) {}

std::unique_ptr<PlanStream> TableScan::Stream(const Context& context) const {
  return std::make_unique<PlannedTasks>(context, source_, filter_, options_);
}

std::unique_ptr<SelectionStream> TableScan::Select(const Context& context) const {
  return std::make_unique<PlannedSelections>(context, source_, filter_, options_);
}

PlanCounts TableScan::Plan(const Context& context, const TaskSink& sink) const {
  const std::unique_ptr<PlanStream> stream = Stream(context);
  for (std::vector<FileScanTask> tasks = stream->NextGroup(); !tasks.empty();
       tasks = stream->NextGroup()) {
    for (FileScanTask& task : tasks) sink(std::move(task));
  }
  return stream->counts();
}

TableScan::Result TableScan::PlanFiles(const Context& context) const {
  Result result;
  result.counts =
      Plan(context, [&](FileScanTask task) { result.tasks.push_back(std::move(task)); });
  return result;
}

}  // namespace nunatak
