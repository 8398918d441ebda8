#include <algorithm>
#include <map>
#include <utility>

#include "nunatak/base/ordered_pipeline.h"
#include "nunatak/inspect/explain/filter_terms.h"
#include "nunatak/inspect/explain/scan_explanation.h"
#include "nunatak/plan/delete_index.h"
#include "nunatak/plan/group_planner.h"
#include "nunatak/plan/partition_pruning.h"

namespace nunatak {

void ScanLayer::Prune(PruningReason reason, std::optional<size_t> term, const Amount& amount) {
  const auto at = std::find_if(pruned.begin(), pruned.end(), [&](const PrunedAmount& known) {
    return known.reason == reason && known.term == term;
  });
  if (at != pruned.end()) {
    at->amount += amount;
  } else {
    pruned.push_back({.reason = reason, .term = term, .amount = amount});
  }
}

void ScanLayer::Keep(const MissingMetrics& missing, size_t term, const Amount& amount) {
  const auto at = std::find_if(kept.begin(), kept.end(), [&](const KeptAmount& known) {
    return known.missing == missing && known.term == term;
  });
  if (at != kept.end()) {
    at->amount += amount;
  } else {
    kept.push_back({.missing = missing, .term = term, .amount = amount});
  }
}

void ScanLayer::Merge(const ScanLayer& other) {
  in += other.in;
  out += other.out;
  for (const PrunedAmount& more : other.pruned) Prune(more.reason, more.term, more.amount);
  for (const KeptAmount& more : other.kept) Keep(more.missing, more.term, more.amount);
}

namespace {

/// What the files of one manifest come to.
struct GroupExplanation {
  ScanLayer files;
  ScanLayer splits;
  DeleteLayer deletes;
  ClusteringBuilder clustering;
};

/// Follows the planner through a scan.
class Explainer {
 public:
  Explainer(std::shared_ptr<const SnapshotSource> source, const BoundFilter& filter,
            const SplitOptions& splits);

  ScanExplanation Explain(const Context& context);

 private:
  /// Which groups the planner reads, and why not the others.
  std::vector<size_t> ExplainGroups(ScanLayer* layer);
  void ExplainLeftOut(const FileGroup& group, ScanLayer* layer) const;
  GroupExplanation ExplainFiles(size_t group, std::shared_ptr<const FileBatch> batch) const;
  void ExplainPruned(const FileBatch& batch, size_t i, std::optional<size_t> partition_term,
                     ScanLayer* layer) const;
  /// Notes what a file that is kept lacks.
  void NoteMissing(const FileBatch& batch, size_t i, ScanLayer* layer) const;
  /// The first term that rules out each partition tuple of a batch.
  std::vector<std::optional<size_t>> PartitionTerms(const FileBatch& batch) const;
  void ExplainKept(const FileSelection& selection, GroupExplanation* explanation) const;

  std::shared_ptr<const SnapshotSource> source_;
  std::shared_ptr<const BoundFilter> filter_;
  SplitOptions splits_;
  std::vector<BoundFilter> terms_;
  /// By spec id, one for each term.
  std::map<int32_t, std::vector<PartitionFilter>> term_filters_;
  GroupPlanner planner_;
};

Explainer::Explainer(std::shared_ptr<const SnapshotSource> source, const BoundFilter& filter,
                     const SplitOptions& splits)
    : source_(std::move(source)),
      filter_(std::make_shared<const BoundFilter>(filter)),
      splits_(splits),
      terms_(TermsOf(filter)),
      planner_(source_, filter_, /*column_metrics=*/false) {
  for (const FileGroup& group : source_->groups()) {
    const int32_t spec_id = group.partition_spec_id;
    if (term_filters_.contains(spec_id)) continue;
    std::vector<PartitionFilter>& filters = term_filters_[spec_id];
    for (const BoundFilter& term : terms_) {
      filters.emplace_back(term, source_->spec(spec_id), source_->schema());
    }
  }
}

ScanExplanation Explainer::Explain(const Context& context) {
  ScanExplanation explanation{.filter = FilterToText(*filter_),
                              .snapshot_id = source_->snapshot_id(),
                              .manifests = {.name = "manifests"},
                              .files = {.name = "files"},
                              .splits = {.name = "splits"}};
  for (const BoundFilter& term : terms_) explanation.terms.push_back(FilterToText(term));
  const std::vector<size_t> delete_groups = planner_.ChooseGroups(/*deletes=*/true);
  const std::vector<size_t> groups = ExplainGroups(&explanation.manifests);
  if (!groups.empty()) planner_.ReadDeletes(context, delete_groups);
  std::vector<std::optional<GroupExplanation>> made(groups.size());
  ClusteringBuilder clustering(*filter_, terms_);
  const std::unique_ptr<OrderedPipeline> pipeline =
      planner_.Read(context, groups, [&](size_t i, std::shared_ptr<const FileBatch> batch) {
        made[i].emplace(ExplainFiles(groups[i], std::move(batch)));
      });
  while (const std::optional<size_t> i = pipeline->Next()) {
    GroupExplanation group = *std::exchange(made[*i], std::nullopt);
    explanation.files.Merge(group.files);
    explanation.splits.Merge(group.splits);
    explanation.deletes.references += group.deletes.references;
    explanation.deletes.data_files_with_deletes += group.deletes.data_files_with_deletes;
    clustering.Merge(std::move(group.clustering));
  }
  const PlanCounts& counts = planner_.counts();
  explanation.deletes.manifests = counts.delete_groups;
  explanation.deletes.manifests_read = counts.delete_groups_read;
  explanation.deletes.files = counts.delete_files + counts.delete_files_pruned;
  explanation.deletes.files_pruned = counts.delete_files_pruned;
  explanation.clustering = clustering.Finish();
  return explanation;
}

Amount AmountOf(const FileGroup& group) { return {.count = 1, .bytes = group.length}; }

std::vector<size_t> Explainer::ExplainGroups(ScanLayer* layer) {
  std::vector<size_t> chosen = planner_.ChooseGroups(/*deletes=*/false);
  const std::span<const FileGroup> groups = source_->groups();
  for (size_t i = 0; i < groups.size(); ++i) {
    if (groups[i].deletes) continue;
    layer->in += AmountOf(groups[i]);
    if (std::binary_search(chosen.begin(), chosen.end(), i)) {
      layer->out += AmountOf(groups[i]);
    } else {
      ExplainLeftOut(groups[i], layer);
    }
  }
  return chosen;
}

void Explainer::ExplainLeftOut(const FileGroup& group, ScanLayer* layer) const {
  if (group.live_files && *group.live_files == 0) {
    return layer->Prune(PruningReason::kNoLiveFiles, std::nullopt, AmountOf(group));
  }
  if (filter_->is_false()) {
    return layer->Prune(PruningReason::kFilter, std::nullopt, AmountOf(group));
  }
  const std::vector<PartitionFilter>& filters = term_filters_.at(group.partition_spec_id);
  std::optional<size_t> term;
  for (size_t t = 0; t < filters.size() && !term; ++t) {
    if (!filters[t].MayMatch(group)) term = t;
  }
  layer->Prune(PruningReason::kPartitionSummary, term, AmountOf(group));
}

GroupExplanation Explainer::ExplainFiles(size_t group,
                                         std::shared_ptr<const FileBatch> batch) const {
  GroupExplanation explanation{.files = {.name = "files"},
                               .splits = {.name = "splits"},
                               .clustering = ClusteringBuilder(*filter_, terms_)};
  const FileSelection selection = planner_.Select(group, std::move(batch));
  const FileBatch& files = *selection.batch;
  const std::vector<std::optional<size_t>> partition_terms = PartitionTerms(files);
  auto kept = selection.files.begin();
  for (uint32_t i = 0; i < files.size(); ++i) {
    explanation.files.in.Add(files.file_sizes[i], files.record_counts[i]);
    explanation.clustering.Add(files, planner_.layout(), i);
    if (kept != selection.files.end() && *kept == i) {
      explanation.files.out.Add(files.file_sizes[i], files.record_counts[i]);
      NoteMissing(files, i, &explanation.files);
      ++kept;
    } else {
      ExplainPruned(files, i, partition_terms[files.tuple_numbers[i]], &explanation.files);
    }
  }
  ExplainKept(selection, &explanation);
  return explanation;
}

std::vector<std::optional<size_t>> Explainer::PartitionTerms(const FileBatch& batch) const {
  std::vector<std::optional<size_t>> first(batch.tuple_count);
  const std::vector<PartitionFilter>& filters = term_filters_.at(batch.partition_spec_id);
  for (size_t tuple = 0; tuple < batch.tuple_count; ++tuple) {
    for (size_t t = 0; t < filters.size() && !first[tuple]; ++t) {
      if (!filters[t].MayMatch(batch, tuple)) first[tuple] = t;
    }
  }
  return first;
}

void Explainer::ExplainPruned(const FileBatch& batch, size_t i,
                              std::optional<size_t> partition_term, ScanLayer* layer) const {
  const Amount amount{1, batch.file_sizes[i], batch.record_counts[i]};
  if (partition_term) return layer->Prune(PruningReason::kPartitionValue, partition_term, amount);
  if (batch.record_counts[i] == 0) {
    return layer->Prune(PruningReason::kNoRows, std::nullopt, amount);
  }
  const BatchFileStats metrics(planner_.layout(), batch, i);
  for (size_t t = 0; t < terms_.size(); ++t) {
    if (!Evaluate(terms_[t], metrics, Mode::kInclusive)) {
      return layer->Prune(MetricsReason(terms_[t], metrics), t, amount);
    }
  }
  // No term alone: what the partition leaves of the filter is false.
  layer->Prune(PruningReason::kPartitionValue, std::nullopt, amount);
}

void Explainer::NoteMissing(const FileBatch& batch, size_t i, ScanLayer* layer) const {
  const BatchFileStats metrics(planner_.layout(), batch, i);
  for (size_t t = 0; t < terms_.size(); ++t) {
    const std::optional<MissingMetrics> missing = MissingFor(terms_[t], metrics);
    if (!missing) continue;
    return layer->Keep(*missing, t, {1, batch.file_sizes[i], batch.record_counts[i]});
  }
}

void Explainer::ExplainKept(const FileSelection& selection, GroupExplanation* explanation) const {
  const FileBatch& batch = *selection.batch;
  const DeleteLookup lookup(planner_.deletes(), batch, planner_.layout());
  std::vector<DataFile> files;
  batch.AppendFiles(selection.files, /*column_metrics=*/false, &files);
  for (size_t k = 0; k < files.size(); ++k) {
    const size_t deletes = lookup.DeletesFor(selection.files[k]).size();
    explanation->deletes.references += static_cast<int64_t>(deletes);
    if (deletes > 0) ++explanation->deletes.data_files_with_deletes;
    FileScanTask task;
    task.length = files[k].file_size_in_bytes;
    // The task does not outlive the file.
    task.data_file = std::shared_ptr<const DataFile>(std::shared_ptr<void>(), &files[k]);
    SplitTask(task, splits_.target_size, [&](const FileScanTask& split) {
      explanation->splits.in.Add(split.length, 0);
      explanation->splits.out.Add(split.length, 0);
    });
  }
}

}  // namespace

ScanExplanation ExplainScan(const Context& context,
                            const std::shared_ptr<const SnapshotSource>& source,
                            const BoundFilter& filter, const SplitOptions& splits) {
  return Explainer(source, filter, splits).Explain(context);
}

}  // namespace nunatak
