#include <utility>

#include "nunatak/inspect/explain/explanation_output.h"
#include "nunatak/inspect/json_values.h"

namespace nunatak {

using nlohmann::ordered_json;

namespace {

ordered_json AmountJson(const Amount& amount) {
  return {{"count", amount.count}, {"bytes", amount.bytes}, {"rows", amount.rows}};
}

ordered_json MissingJson(const MissingMetrics& missing) {
  return {{"metrics", ToString(missing.kind)}, {"column", missing.column}};
}

ordered_json LayerJson(const ScanLayer& layer, const std::vector<std::string>& terms) {
  ordered_json pruned = ordered_json::array();
  for (const PrunedAmount& part : layer.pruned) {
    ordered_json entry = {{"by", ToString(part.reason)},
                          {"term", part.term ? ordered_json(terms[*part.term]) : ordered_json()}};
    entry.update(AmountJson(part.amount));
    pruned.push_back(std::move(entry));
  }
  ordered_json kept = ordered_json::array();
  for (const KeptAmount& part : layer.kept) {
    ordered_json entry = MissingJson(part.missing);
    entry["term"] = terms[part.term];
    entry.update(AmountJson(part.amount));
    kept.push_back(std::move(entry));
  }
  return {{"layer", layer.name},
          {"in", AmountJson(layer.in)},
          {"out", AmountJson(layer.out)},
          {"pruned", std::move(pruned)},
          {"kept-for-want-of", std::move(kept)}};
}

ordered_json DeletesJson(const DeleteLayer& deletes) {
  return {{"manifests", deletes.manifests},
          {"manifests-read", deletes.manifests_read},
          {"files", deletes.files},
          {"files-pruned", deletes.files_pruned},
          {"references", deletes.references},
          {"data-files-with-deletes", deletes.data_files_with_deletes}};
}

ordered_json ClusteringJson(const Clustering& column) {
  ordered_json json = {{"column", column.column},
                       {"files", column.files},
                       {"files-without-bounds", column.files_without_bounds},
                       {"average-depth", column.average_depth},
                       {"max-depth", column.max_depth},
                       {"outlook", nullptr}};
  if (const auto& outlook = column.outlook) {
    json["outlook"] = {{"files-now", outlook->files_now},
                       {"bytes-now", outlook->bytes_now},
                       {"files-sorted", outlook->files_sorted},
                       {"bytes-sorted", outlook->bytes_sorted}};
  }
  return json;
}

ordered_json VerdictJson(const LeafVerdict& verdict) {
  ordered_json stats = ordered_json::array();
  for (const StatsText& text : verdict.stats) {
    stats.push_back({{"column", text.column},
                     {"lower", OrNull(text.lower)},
                     {"upper", OrNull(text.upper)},
                     {"nulls", OrNull(text.nulls)},
                     {"nans", OrNull(text.nans)}});
  }
  return {{"level", verdict.level},
          {"stats", std::move(stats)},
          {"verdict", verdict.may_match ? "may-match" : "cannot-match"},
          {"for-want-of", verdict.missing ? MissingJson(*verdict.missing) : ordered_json()}};
}

ordered_json LeafJson(const LeafExplanation& leaf) {
  ordered_json verdicts = ordered_json::array();
  for (const LeafVerdict& verdict : leaf.verdicts) verdicts.push_back(VerdictJson(verdict));
  return {{"term", leaf.leaf}, {"levels", std::move(verdicts)}};
}

ordered_json DeleteJson(const DeleteVerdict& verdict) {
  const DeleteFile& deletes = *verdict.file;
  return {{"file-path", deletes.file.file_path},
          {"content", ToString(deletes.file.content)},
          {"content-offset", OrNull(deletes.file.content_offset)},
          {"record-count", deletes.file.record_count},
          {"data-sequence-number", deletes.data_sequence_number},
          {"applies", verdict.applies},
          {"reason", verdict.reason}};
}

}  // namespace

ordered_json ExplanationToJson(const ScanExplanation& explanation,
                               const std::vector<Advice>& advice) {
  ordered_json layers = ordered_json::array();
  for (const ScanLayer* layer : {&explanation.manifests, &explanation.files, &explanation.splits}) {
    layers.push_back(LayerJson(*layer, explanation.terms));
  }
  for (const ScanLayer& layer : explanation.sections) {
    layers.push_back(LayerJson(layer, explanation.terms));
  }
  ordered_json columns = ordered_json::array();
  for (const Clustering& column : explanation.clustering) columns.push_back(ClusteringJson(column));
  ordered_json advices = ordered_json::array();
  for (const Advice& piece : advice) {
    advices.push_back({{"kind", piece.kind},
                       {"column", piece.column},
                       {"finding", piece.finding},
                       {"remedy", piece.remedy}});
  }
  return {{"snapshot-id", OrNull(explanation.snapshot_id)},
          {"filter", explanation.filter},
          {"terms", explanation.terms},
          {"layers", std::move(layers)},
          {"deletes", DeletesJson(explanation.deletes)},
          {"columns", std::move(columns)},
          {"advice", std::move(advices)}};
}

ordered_json ExplanationToJson(const FileExplanation& explanation) {
  ordered_json terms = ordered_json::array();
  for (const LeafExplanation& leaf : explanation.leaves) terms.push_back(LeafJson(leaf));
  ordered_json deletes = ordered_json::array();
  for (const DeleteVerdict& verdict : explanation.deletes) deletes.push_back(DeleteJson(verdict));
  return {{"file-path", explanation.file.file_path},
          {"spec-id", explanation.file.partition_spec_id},
          {"record-count", explanation.file.record_count},
          {"file-size-in-bytes", explanation.file.file_size_in_bytes},
          {"data-sequence-number", explanation.data_sequence_number},
          {"snapshot-id", OrNull(explanation.snapshot_id)},
          {"planned", explanation.planned()},
          {"pruned-by", explanation.pruned_by},
          {"terms", std::move(terms)},
          {"residual", explanation.residual},
          {"deletes", std::move(deletes)}};
}

}  // namespace nunatak
