#include <fmt/format.h>

#include <map>
#include <string_view>
#include <utility>

#include "nunatak/base/display_width.h"
#include "nunatak/inspect/counted.h"
#include "nunatak/inspect/explain/explanation_output.h"
#include "nunatak/inspect/size_text.h"

namespace nunatak {

namespace {

/// Beyond so many, delete files that do not apply are counted by reason.
constexpr size_t kListedDeletes = 20;

std::string_view ReasonText(PruningReason reason) {
  switch (reason) {
    case PruningReason::kFilter:
      return "the filter, which no row passes";
    case PruningReason::kNoLiveFiles:
      return "no live files in them";
    case PruningReason::kPartitionSummary:
      return "partition summary";
    case PruningReason::kPartitionValue:
      return "partition value";
    case PruningReason::kNoRows:
      return "no rows";
    case PruningReason::kBounds:
      return "bounds";
    case PruningReason::kNullCounts:
      return "null counts";
    case PruningReason::kNanCounts:
      return "NaN counts";
  }
  return "";
}

std::string_view KindText(MetricsKind kind) {
  switch (kind) {
    case MetricsKind::kNanCounts:
      return "NaN counts";
    case MetricsKind::kNullCounts:
      return "null counts";
    case MetricsKind::kBounds:
      return "bounds";
  }
  return "";
}

/// What a filter that is none is called.
std::string_view FilterText(std::string_view filter) {
  return filter == "TRUE" ? "none: every row is wanted; --where says which rows a query wants"
                          : filter;
}

std::string AmountText(const Amount& amount) {
  std::string text = fmt::format("{:>9}", amount.count);
  text += fmt::format("  {:>10}", amount.bytes > 0 ? SizeText(amount.bytes) : "");
  if (amount.rows > 0) text += "  " + Counted(amount.rows, "row");
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

std::string LayerText(const ScanLayer& layer, const std::vector<std::string>& terms) {
  std::string text = fmt::format("{:<14}{}\n", layer.name, AmountText(layer.in));
  for (const PrunedAmount& part : layer.pruned) {
    text += fmt::format("  - left out  {}  by {}{}\n", AmountText(part.amount),
                        ReasonText(part.reason), part.term ? ": " + terms[*part.term] : "");
  }
  if (!layer.pruned.empty()) text += fmt::format("  = left      {}\n", AmountText(layer.out));
  for (const KeptAmount& part : layer.kept) {
    text +=
        fmt::format("    of those  {}  only for want of {} of {}: {}\n", AmountText(part.amount),
                    KindText(part.missing.kind), OneLine(part.missing.column), terms[part.term]);
  }
  return text;
}

std::string DeletesText(const DeleteLayer& deletes) {
  if (deletes.manifests == 0) return "deletes        none\n";
  return fmt::format("deletes        {} in {} of {}, {} left out; they apply to {}\n",
                     Counted(deletes.files, "file"), deletes.manifests_read,
                     Counted(deletes.manifests, "manifest"), deletes.files_pruned,
                     Counted(deletes.data_files_with_deletes, "planned file"));
}

std::string ClusteringText(const Clustering& column) {
  if (column.files == 0) {
    return fmt::format("  {}: no bounds in any of {}\n", column.column,
                       Counted(column.files_without_bounds, "file"));
  }
  return fmt::format(
      "  {}: a value lies in the ranges of {:.1f} files on average, {} at most{}\n", column.column,
      column.average_depth, column.max_depth,
      column.files_without_bounds == 0
          ? ""
          : fmt::format("; of {} there are none", Counted(column.files_without_bounds, "file")));
}

std::string StatsLine(const StatsText& stats) {
  std::string text = OneLine(stats.column);
  if (stats.lower || stats.upper) {
    if (stats.lower == stats.upper) {
      text += " = " + OneLine(*stats.lower);
    } else {
      text += fmt::format(" in [{}, {}]", OneLine(stats.lower.value_or("?")),
                          OneLine(stats.upper.value_or("?")));
    }
  } else {
    text += ": no bounds";
  }
  if (stats.nulls) text += fmt::format(", {} null", *stats.nulls == "none" ? "none" : *stats.nulls);
  if (stats.nans) text += fmt::format(", {} NaN", *stats.nans);
  return text;
}

/// Why a level cannot rule out what nothing that it knows of can pass.
std::string MissingText(const MissingMetrics& missing) {
  const std::string column = OneLine(missing.column);
  switch (missing.kind) {
    case MetricsKind::kNanCounts:
      return fmt::format("; no NaN counts: a NaN, which is above every number, may be in {}",
                         column);
    case MetricsKind::kNullCounts:
      return fmt::format("; no null counts: a null may be in {}", column);
    case MetricsKind::kBounds:
      return fmt::format("; any value may be in {}", column);
  }
  return "";
}

std::string LeafText(const LeafExplanation& leaf) {
  std::string text = "  " + leaf.leaf + "\n";
  for (const LeafVerdict& verdict : leaf.verdicts) {
    std::string stats;
    for (const StatsText& each : verdict.stats)
      stats += (stats.empty() ? "" : "; ") + StatsLine(each);
    if (verdict.missing) stats += MissingText(*verdict.missing);
    text += fmt::format("    {:<18} {:<13} {}\n", verdict.level,
                        verdict.may_match ? "may match" : "cannot match", stats);
  }
  return text;
}

std::string DeleteLine(const DeleteVerdict& verdict) {
  const DataFile& file = verdict.file->file;
  return fmt::format("  {:<8} {} {}{}, {}: {}\n", verdict.applies ? "applies" : "spares",
                     file.is_deletion_vector() ? "deletion vector" : ToString(file.content),
                     OneLine(file.file_path),
                     file.content_offset ? fmt::format(" at {}", *file.content_offset) : "",
                     Counted(file.record_count, "row"), verdict.reason);
}

std::string DeletesText(const std::vector<DeleteVerdict>& deletes) {
  if (deletes.empty()) return "deletes: the snapshot has none\n";
  std::string text = "deletes\n";
  std::map<std::string_view, size_t> spared;
  for (const DeleteVerdict& verdict : deletes) {
    if (verdict.applies || deletes.size() <= kListedDeletes) {
      text += DeleteLine(verdict);
    } else {
      ++spared[verdict.reason];
    }
  }
  for (const auto& [reason, count] : spared) {
    text += fmt::format("  spares   {}: {}\n", Counted(count, "delete file"), reason);
  }
  return text;
}

}  // namespace

std::string ExplanationText(const ScanExplanation& explanation, const std::vector<Advice>& advice) {
  std::string text = fmt::format("filter  {}\n\n", FilterText(explanation.filter));
  text += LayerText(explanation.manifests, explanation.terms);
  text += LayerText(explanation.files, explanation.terms);
  text += LayerText(explanation.splits, explanation.terms);
  for (const ScanLayer& layer : explanation.sections) {
    // Most files have no page index.
    if (layer.name != "pages" || layer.in.count > 0) text += LayerText(layer, explanation.terms);
  }
  text += DeletesText(explanation.deletes);
  if (!explanation.clustering.empty()) text += "\ncolumns of the filter\n";
  for (const Clustering& column : explanation.clustering) text += ClusteringText(column);
  if (!advice.empty()) text += "\nadvice\n";
  for (const Advice& piece : advice) {
    text += fmt::format("  {}\n    -> {}\n", OneLine(piece.finding), OneLine(piece.remedy));
  }
  return text;
}

std::string ExplanationText(const FileExplanation& explanation) {
  std::string levels;
  for (const std::string_view level : explanation.pruned_by) {
    levels += (levels.empty() ? "" : ", ") + std::string(level);
  }
  std::string text = fmt::format(
      "{}\n{}, {}, sequence number {}{}\n\n{}\n", OneLine(explanation.file.file_path),
      Counted(explanation.file.record_count, "row"), SizeText(explanation.file.file_size_in_bytes),
      explanation.data_sequence_number,
      explanation.snapshot_id ? fmt::format(", added by snapshot {}", *explanation.snapshot_id)
                              : "",
      explanation.planned() ? "planned: nothing rules it out" : "left out, by " + levels);
  for (const LeafExplanation& leaf : explanation.leaves) text += LeafText(leaf);
  if (explanation.planned()) text += fmt::format("left of the filter: {}\n", explanation.residual);
  return text + "\n" + DeletesText(explanation.deletes);
}

}  // namespace nunatak
