#include "nunatak/plan/group_planner.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <iterator>
#include <utility>

#include "nunatak/plan/equality_deletes.h"
#include "nunatak/plan/file_selection.h"

namespace nunatak {
namespace {

/// What a group holds once it is decoded, as a multiple of its size in storage: about five times
/// when its blocks are inflated, and once more for the decoded columns.
constexpr int64_t kDecodedRatio = 6;

/// Adds the nanoseconds of its life to a sum.
class StageTimer {
 public:
  explicit StageTimer(std::atomic<int64_t>& sum) : sum_(sum) {}
  ~StageTimer() {
    const std::chrono::nanoseconds elapsed = std::chrono::steady_clock::now() - start_;
    sum_.fetch_add(elapsed.count(), std::memory_order_relaxed);
  }

 private:
  std::atomic<int64_t>& sum_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

double Seconds(const std::atomic<int64_t>& nanoseconds) {
  return static_cast<double>(nanoseconds.load(std::memory_order_relaxed)) / 1e9;
}

}  // namespace

GroupPlanner::GroupPlanner(std::shared_ptr<const SnapshotSource> source,
                           std::shared_ptr<const BoundFilter> filter, bool column_metrics)
    : source_(std::move(source)),
      filter_(std::move(filter)),
      column_metrics_(column_metrics),
      layout_(filter_->columns, source_->schema()),
      request_{.metric_ids = layout_.field_ids()},
      deletes_(*source_) {
  for (const FileGroup& group : source_->groups()) {
    const int32_t id = group.partition_spec_id;
    if (partition_filters_.contains(id)) continue;
    partition_filters_.try_emplace(id, *filter_, source_->spec(id), source_->schema());
  }
}

std::vector<size_t> GroupPlanner::ChooseGroups(bool deletes) {
  std::vector<size_t> chosen;
  const std::span<const FileGroup> groups = source_->groups();
  for (size_t i = 0; i < groups.size(); ++i) {
    const FileGroup& group = groups[i];
    if (group.deletes != deletes) continue;
    ++(deletes ? counts_.delete_groups : counts_.data_groups);
    if (group.live_files && *group.live_files == 0) continue;
    if (FilterOf(group.partition_spec_id).MayMatch(group)) chosen.push_back(i);
  }
  return chosen;
}

std::unique_ptr<OrderedPipeline> GroupPlanner::Read(
    const Context& context, const std::vector<size_t>& groups,
    std::function<void(size_t, std::shared_ptr<const FileBatch>)> done) {
  return Read(context, groups, request_, std::move(done));
}

std::unique_ptr<OrderedPipeline> GroupPlanner::Read(
    const Context& context, const std::vector<size_t>& groups, const FileRequest& request,
    std::function<void(size_t, std::shared_ptr<const FileBatch>)> done) {
  /// What the stages of a group hand on.
  struct Reading {
    std::vector<size_t> groups;
    std::vector<std::unique_ptr<GroupRead>> reads;
  };
  const auto reading = std::make_shared<Reading>();
  reading->groups = groups;
  reading->reads.resize(groups.size());
  const auto fetch = [this, reading, &request](size_t i) {
    const StageTimer timer(fetch_time_);
    reading->reads[i] = source_->OpenGroup(reading->groups[i], request);
    reading->reads[i]->Fetch();
  };
  const bool waits = source_->fetching_waits();
  PipelineWork work;
  work.count = groups.size();
  if (waits) work.fetch = fetch;
  // The pipeline may outlive its use a little, and must not be the last to own the executor.
  Context borrowed = context;
  borrowed.executor = {std::shared_ptr<void>(), context.executor.get()};
  work.compute = [this, reading, waits, fetch, borrowed, done = std::move(done)](size_t i) {
    if (!waits) fetch(i);
    const std::unique_ptr<GroupRead> read = std::move(reading->reads[i]);
    std::shared_ptr<const FileBatch> batch;
    {
      const StageTimer timer(decode_time_);
      batch = read->Decode(borrowed);
    }
    const StageTimer timer(select_time_);
    done(i, std::move(batch));
  };
  work.bytes = [this, reading](size_t i) {
    return source_->groups()[reading->groups[i]].length * kDecodedRatio;
  };
  return std::make_unique<OrderedPipeline>(context, std::move(work));
}

void GroupPlanner::LeaveOutEarly() {
  // What metadata columns say of a file is not there before all of it is decoded.
  const auto is_data = [this](const BoundFilter::Column& column) {
    return source_->schema().FindField(column.field_id) != nullptr;
  };
  if (filter_->is_true() || !std::all_of(filter_->columns.begin(), filter_->columns.end(), is_data))
    return;
  request_.wanted = [this](const FileBatch& batch) {
    return FilesThatMayMatch(batch, *filter_, layout_, FilterOf(batch.partition_spec_id));
  };
}

PlanCounts GroupPlanner::CountsSoFar() const {
  PlanCounts counts = counts_;
  counts.fetch_seconds = Seconds(fetch_time_);
  counts.decode_seconds = Seconds(decode_time_);
  counts.select_seconds = Seconds(select_time_);
  return counts;
}

void GroupPlanner::ReadDeletes(const Context& context, const std::vector<size_t>& groups,
                               std::vector<std::shared_ptr<const DeleteFile>>* files) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<DeleteGroup> read(groups.size());
  const std::unique_ptr<OrderedPipeline> pipeline =
      Read(context, groups, delete_request_, [&](size_t i, std::shared_ptr<const FileBatch> batch) {
        read[i] = SelectDeletes(std::move(batch));
      });
  while (const std::optional<size_t> i = pipeline->Next()) {
    DeleteGroup group = std::exchange(read[*i], DeleteGroup{});
    if (files) files->insert(files->end(), group.files.begin(), group.files.end());
    AddToIndex(std::move(group));
  }
  deletes_.Arrange();
  counts_.delete_groups_read = static_cast<int64_t>(groups.size());
  counts_.delete_index_bytes = deletes_.memory_bytes();
  std::vector<BoundFilter::Column> columns = deletes_.key_columns();
  if (!columns.empty()) {
    columns.insert(columns.end(), filter_->columns.begin(), filter_->columns.end());
    layout_ = MetricsLayout(columns, source_->schema());
    request_.metric_ids = layout_.field_ids();
  }
  request_.column_metrics = column_metrics_;
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  counts_.delete_seconds = elapsed.count();
}

void GroupPlanner::AddToIndex(DeleteGroup group) {
  const MetricColumn& paths = *group.batch->metrics[0];
  const auto bound = [](ByteSpan bytes) {
    return bytes.data() == nullptr ? std::nullopt : std::optional(AsText(bytes));
  };
  for (size_t k = 0; k < group.files.size(); ++k) {
    const uint32_t i = group.positions[k];
    deletes_.Add(std::move(group.files[k]),
                 {.lower = bound(paths.lower_bounds[i]), .upper = bound(paths.upper_bounds[i])});
  }
  counts_.delete_files += static_cast<int64_t>(group.files.size());
  counts_.delete_files_pruned += static_cast<int64_t>(group.batch->size() - group.files.size());
}

namespace {

/// The files at `positions`, in their order; what equality deletes apply to follows from their
/// column metrics.
std::vector<DataFile> DeleteFilesAt(const FileBatch& batch, std::span<const uint32_t> positions,
                                    bool column_metrics) {
  std::vector<DataFile> files;
  files.reserve(positions.size());
  const auto has_metrics = [&](uint32_t i) {
    return column_metrics || batch.contents[i] == FileContent::kEqualityDeletes;
  };
  for (size_t begin = 0; begin < positions.size();) {
    const bool metrics = has_metrics(positions[begin]);
    size_t end = begin + 1;
    while (end < positions.size() && has_metrics(positions[end]) == metrics) ++end;
    batch.AppendFiles(positions.subspan(begin, end - begin), metrics, &files);
    begin = end;
  }
  return files;
}

}  // namespace

GroupPlanner::DeleteGroup GroupPlanner::SelectDeletes(
    std::shared_ptr<const FileBatch> batch) const {
  const PartitionFilter& partitions = FilterOf(batch->partition_spec_id);
  std::vector<bool> tuple_may_match(batch->tuple_count);
  for (size_t t = 0; t < batch->tuple_count; ++t) {
    tuple_may_match[t] = partitions.MayMatch(*batch, t);
  }
  std::vector<uint32_t> positions;
  for (uint32_t i = 0; i < batch->size(); ++i) {
    if (tuple_may_match[batch->tuple_numbers[i]]) positions.push_back(i);
  }
  std::vector<DataFile> files = DeleteFilesAt(*batch, positions, column_metrics_);
  DeleteGroup group;
  for (size_t k = 0; k < files.size(); ++k) {
    if (!MayDeleteMatching(files[k], *filter_, layout_)) continue;
    group.positions.push_back(positions[k]);
    group.files.push_back(std::make_shared<const DeleteFile>(
        DeleteFile{std::move(files[k]), batch->data_sequence_numbers[positions[k]]}));
  }
  group.batch = std::move(batch);
  return group;
}

FileSelection GroupPlanner::Select(size_t group, std::shared_ptr<const FileBatch> batch) const {
  const PartitionFilter& partitions = FilterOf(batch->partition_spec_id);
  FileSelection selection = SelectFiles(std::move(batch), *filter_, layout_, partitions);
  selection.group = group;
  return selection;
}

}  // namespace nunatak
