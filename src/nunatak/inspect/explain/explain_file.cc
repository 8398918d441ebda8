#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/inspect/explain/delete_scope.h"
#include "nunatak/inspect/explain/file_explanation.h"
#include "nunatak/inspect/explain/filter_terms.h"
#include "nunatak/inspect/partition_text.h"
#include "nunatak/plan/delete_index.h"
#include "nunatak/plan/group_planner.h"
#include "nunatak/plan/partition_pruning.h"
#include "nunatak/table/value_json.h"

namespace nunatak {

namespace {

/// A data file where its group has it.
struct FoundFile {
  size_t group = 0;
  uint32_t position = 0;
  std::shared_ptr<const FileBatch> batch;
};

bool EndsIn(std::string_view path, std::string_view end) {
  if (!path.ends_with(end)) return false;
  return path.size() == end.size() || path[path.size() - end.size() - 1] == '/' ||
         end.starts_with('/');
}

FoundFile FindFile(const Context& context, const SnapshotSource& source, std::string_view path,
                   const FileRequest& request) {
  std::vector<FoundFile> found;
  for (size_t group = 0; group < source.groups().size(); ++group) {
    if (source.groups()[group].deletes) continue;
    const auto batch = source.ReadGroup(context, group, request);
    for (uint32_t i = 0; i < batch->size(); ++i) {
      if (batch->file_paths[i] == path) return {group, i, batch};
      if (EndsIn(batch->file_paths[i], path)) found.push_back({group, i, batch});
    }
  }
  if (found.empty()) {
    throw Error(ErrorCode::kNotFound,
                fmt::format("the snapshot has no live data file whose path ends in '{}'", path),
                "nunatak data-files TABLE --select file_path lists them");
  }
  if (found.size() > 1) {
    ThrowUsage(fmt::format("{} data files have a path that ends in '{}', such as {} and {}",
                           found.size(), path, found[0].batch->file_paths[found[0].position],
                           found[1].batch->file_paths[found[1].position]),
               "give more of the path");
  }
  return found.front();
}

std::optional<std::string_view> Extent(Known some, Known all) {
  if (all == Known::kYes) return "all";
  if (some == Known::kNo) return "none";
  if (some == Known::kYes) return "some";
  return std::nullopt;
}

/// Explains one file that was found.
class FileExplainer {
 public:
  FileExplainer(const Context& context, std::shared_ptr<const SnapshotSource> source,
                const BoundFilter& filter, const MetricsLayout& layout, const FoundFile& found)
      : context_(context),
        source_(std::move(source)),
        filter_(filter),
        layout_(layout),
        group_(source_->groups()[found.group]),
        group_number_(found.group),
        batch_(*found.batch),
        position_(found.position),
        tuple_(batch_.tuple_numbers[found.position]),
        spec_(source_->spec(batch_.partition_spec_id)) {}

  FileExplanation Explain() const;

 private:
  void ExplainVerdict(FileExplanation* explanation) const;
  LeafExplanation ExplainLeaf(const BoundFilter& leaf) const;
  void HoldAgainst(std::string_view level, const BoundFilter& leaf, const StatsSource& stats,
                   bool partition, LeafExplanation* explanation) const;
  StatsText TextOf(const BoundFilter::Column& column, const ColumnStats& stats,
                   bool partition) const;
  std::string ValueText(const BoundFilter::Column& column, const ValueView& value,
                        bool partition) const;
  std::vector<DeleteVerdict> ExplainDeletes(const FileExplanation& explanation) const;

  const Context& context_;
  std::shared_ptr<const SnapshotSource> source_;
  const BoundFilter& filter_;
  const MetricsLayout& layout_;
  const FileGroup& group_;
  size_t group_number_;
  const FileBatch& batch_;
  uint32_t position_;
  uint32_t tuple_;
  const PartitionSpec& spec_;
};

FileExplanation FileExplainer::Explain() const {
  FileExplanation explanation;
  std::vector<DataFile> files;
  batch_.AppendFiles(std::span(&position_, 1), /*column_metrics=*/true, &files);
  explanation.file = std::move(files.front());
  explanation.data_sequence_number = batch_.data_sequence_numbers[position_];
  explanation.snapshot_id = batch_.SnapshotId(position_);
  explanation.spec = std::make_shared<const PartitionSpec>(spec_);
  ExplainVerdict(&explanation);
  for (const BoundFilter& leaf : LeavesOf(filter_)) {
    explanation.leaves.push_back(ExplainLeaf(leaf));
  }
  explanation.deletes = ExplainDeletes(explanation);
  return explanation;
}

void FileExplainer::ExplainVerdict(FileExplanation* explanation) const {
  const PartitionFilter partitions(filter_, spec_, source_->schema());
  const std::shared_ptr<const BoundFilter> residual = partitions.ResidualFor(batch_, tuple_);
  explanation->residual = FilterToText(*residual);
  if (filter_.is_true()) return;
  if (filter_.is_false()) {
    explanation->pruned_by.emplace_back("filter");
    return;
  }
  if (!partitions.MayMatch(group_)) explanation->pruned_by.emplace_back("partition-summary");
  if (!partitions.MayMatch(batch_, tuple_) || residual->is_false()) {
    explanation->pruned_by.emplace_back("partition-value");
  }
  const int64_t rows = batch_.record_counts[position_];
  if (rows == 0) explanation->pruned_by.emplace_back("no-rows");
  const BatchFileStats metrics(layout_, batch_, position_);
  if (rows > 0 && !Evaluate(filter_, metrics, Mode::kInclusive)) {
    explanation->pruned_by.emplace_back("metrics");
  }
}

LeafExplanation FileExplainer::ExplainLeaf(const BoundFilter& leaf) const {
  LeafExplanation explanation{.leaf = FilterToText(leaf)};
  const BoundFilter projected =
      ProjectToPartition(leaf, spec_, source_->schema(), Mode::kInclusive);
  if (!projected.is_true()) {
    if (group_.partitions) {
      HoldAgainst("partition-summary", projected, SummaryStats(spec_, *group_.partitions), true,
                  &explanation);
    }
    HoldAgainst("partition-value", projected, BatchPartitionStats(spec_, batch_, tuple_), true,
                &explanation);
  }
  HoldAgainst("metrics", leaf, BatchFileStats(layout_, batch_, position_), false, &explanation);
  return explanation;
}

void FileExplainer::HoldAgainst(std::string_view level, const BoundFilter& leaf,
                                const StatsSource& stats, bool partition,
                                LeafExplanation* explanation) const {
  LeafVerdict verdict{.level = level, .may_match = Evaluate(leaf, stats, Mode::kInclusive)};
  if (verdict.may_match) verdict.missing = MissingFor(leaf, stats);
  std::set<uint32_t> seen;
  for (const BoundFilter& part : LeavesOf(leaf)) {
    const uint32_t column = part.nodes[0].column;
    if (!seen.insert(column).second) continue;
    verdict.stats.push_back(
        TextOf(part.columns[column], stats.Stats(part.columns[column]), partition));
  }
  explanation->verdicts.push_back(std::move(verdict));
}

StatsText FileExplainer::TextOf(const BoundFilter::Column& column, const ColumnStats& stats,
                                bool partition) const {
  StatsText text{.column = column.name,
                 .nulls = Extent(stats.has_nulls, stats.all_null),
                 .nans = Extent(stats.has_nans, stats.all_nan)};
  const bool real = column.type.id() == TypeId::kFloat || column.type.id() == TypeId::kDouble;
  if (!real) text.nans.reset();
  if (!stats.lower.is_null()) text.lower = ValueText(column, stats.lower, partition);
  if (!stats.upper.is_null()) text.upper = ValueText(column, stats.upper, partition);
  return text;
}

std::string FileExplainer::ValueText(const BoundFilter::Column& column, const ValueView& value,
                                     bool partition) const {
  const auto field = std::find_if(
      spec_.fields.begin(), spec_.fields.end(),
      [&](const PartitionField& candidate) { return candidate.field_id == column.field_id; });
  return partition && field != spec_.fields.end()
             ? PartitionText(field->transform, column.type, value)
             : ValueToText(column.type, value);
}

using DeleteKey = std::pair<std::string, int64_t>;

DeleteKey KeyOf(const DeleteFile& deletes) {
  return {deletes.file.file_path, deletes.file.content_offset.value_or(-1)};
}

std::vector<DeleteVerdict> FileExplainer::ExplainDeletes(const FileExplanation& explanation) const {
  const auto everything = std::make_shared<const BoundFilter>();
  GroupPlanner planner(source_, everything, /*column_metrics=*/false);
  // Without a filter these are all of the snapshot's.
  std::vector<std::shared_ptr<const DeleteFile>> files;
  planner.ReadDeletes(context_, planner.ChooseGroups(/*deletes=*/true), &files);
  const auto batch =
      source_->ReadGroup(context_, group_number_,
                         {.metric_ids = planner.layout().field_ids(), .column_metrics = false});
  std::set<DeleteKey> applying;
  bool has_vector = false;
  for (const auto& deletes :
       DeleteLookup(planner.deletes(), *batch, planner.layout()).DeletesFor(position_)) {
    applying.insert(KeyOf(*deletes));
    has_vector = has_vector || deletes->file.is_deletion_vector();
  }
  const DeleteTarget target{.file = explanation.file,
                            .data_sequence_number = explanation.data_sequence_number,
                            .has_vector = has_vector};
  std::vector<DeleteVerdict> verdicts;
  if (auto own = batch->OwnDeletes(position_)) {
    verdicts.push_back({.file = std::move(own),
                        .applies = true,
                        .reason = "the deletion vector that the entry of the file records"});
  }
  for (const auto& deletes : files) {
    const bool applies = applying.contains(KeyOf(*deletes));
    verdicts.push_back({.file = deletes,
                        .applies = applies,
                        .reason = DeleteScopeReason(*source_, target, *deletes, applies)});
  }
  std::stable_partition(verdicts.begin(), verdicts.end(),
                        [](const DeleteVerdict& verdict) { return verdict.applies; });
  return verdicts;
}

}  // namespace

FileExplanation ExplainFile(const Context& context,
                            const std::shared_ptr<const SnapshotSource>& source,
                            const BoundFilter& filter, std::string_view path) {
  const MetricsLayout layout(filter.columns, source->schema());
  const FoundFile found = FindFile(context, *source, path, {.metric_ids = layout.field_ids()});
  return FileExplainer(context, source, filter, layout, found).Explain();
}

}  // namespace nunatak
