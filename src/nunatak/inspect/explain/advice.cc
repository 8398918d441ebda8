#include "nunatak/inspect/explain/advice.h"

#include <fmt/format.h>

#include <algorithm>

#include "nunatak/inspect/size_text.h"

namespace nunatak {

namespace {

/// A plan that keeps at most this many times the files that sorting would keep is good enough.
constexpr int64_t kGoodEnough = 2;

bool IsPartitionedBy(const PartitionSpec& spec, int32_t field_id) {
  return std::any_of(spec.fields.begin(), spec.fields.end(), [&](const PartitionField& field) {
    return field.source_ids.size() == 1 && field.source_id() == field_id &&
           field.transform.id() != TransformId::kVoid;
  });
}

/// The transform that splits values of a type into ranges, for a column that is asked for ranges.
std::string_view RangeTransform(const Type& type) {
  switch (type.id()) {
    case TypeId::kDate:
    case TypeId::kTimestamp:
    case TypeId::kTimestampTz:
    case TypeId::kTimestampNs:
    case TypeId::kTimestampTzNs:
      return "day";
    default:
      return "";
  }
}

Advice SortAdvice(const Clustering& column) {
  const Clustering::Outlook& outlook = *column.outlook;
  return {
      .kind = "sort-order",
      .column = column.column,
      .finding = fmt::format(
          "the terms on {} keep {} of {} files: their ranges overlap, a value lies in {:.1f} of "
          "them on average; sorted by {}, as few as {} would be left ({} instead of {})",
          column.column, outlook.files_now, column.files + column.files_without_bounds,
          column.average_depth, column.column, outlook.files_sorted, SizeText(outlook.bytes_sorted),
          SizeText(outlook.bytes_now)),
      .remedy = fmt::format("write the table's files sorted by {} (a sort order on the table, "
                            "and a compaction that sorts)",
                            column.column)};
}

Advice PartitionAdvice(const Clustering& column, std::string_view transform) {
  return {
      .kind = "partitioning",
      .column = column.column,
      .finding = fmt::format("{} is not a partition source; {} of {} files are left", column.column,
                             column.outlook->files_now, column.files + column.files_without_bounds),
      .remedy = fmt::format("partition by {}({}): whole manifests are then left unopened",
                            transform, column.column)};
}

Advice MetricsAdvice(const Clustering& column) {
  return {.kind = "column-metrics",
          .column = column.column,
          .finding = fmt::format("{} of {} files have no bounds of {}: nothing rules them out",
                                 column.files_without_bounds,
                                 column.files + column.files_without_bounds, column.column),
          .remedy = fmt::format(
              "set write.metadata.metrics.column.{} = full, and rewrite the files", column.column)};
}

/// Files that are kept because nobody counted their NaNs.
Advice NanAdvice(const KeptAmount& kept, const ScanExplanation& explanation) {
  const std::string& column = kept.missing.column;
  return {
      .kind = "nan-counts",
      .column = column,
      .finding = fmt::format(
          "{} of {} files ({}) are kept only because they have no NaN counts of {}: their bounds "
          "rule out every number, but NaN is above all numbers and passes {}",
          kept.amount.count, explanation.files.in.count, SizeText(kept.amount.bytes), column,
          explanation.terms[kept.term]),
      .remedy = fmt::format("rewrite the files with a writer that records nan_value_counts of {}: "
                            "sorting or partitioning does not help without them",
                            column)};
}

}  // namespace

std::vector<Advice> AdviseOn(const ScanExplanation& explanation, const Schema& schema,
                             const PartitionSpec& spec) {
  std::vector<Clustering> columns;
  std::copy_if(explanation.clustering.begin(), explanation.clustering.end(),
               std::back_inserter(columns),
               [](const Clustering& column) { return column.outlook.has_value(); });
  std::stable_sort(columns.begin(), columns.end(), [](const Clustering& a, const Clustering& b) {
    return a.outlook->bytes_now - a.outlook->bytes_sorted >
           b.outlook->bytes_now - b.outlook->bytes_sorted;
  });
  std::vector<Advice> advice;
  for (const KeptAmount& kept : explanation.files.kept) {
    if (kept.missing.kind == MetricsKind::kNanCounts) {
      advice.push_back(NanAdvice(kept, explanation));
    }
  }
  for (const Clustering& column : columns) {
    if (column.outlook->files_now <= kGoodEnough * column.outlook->files_sorted) continue;
    advice.push_back(SortAdvice(column));
    const Field* field = schema.FindField(column.field_id);
    const std::string_view transform = field ? RangeTransform(field->type) : "";
    if (!transform.empty() && !IsPartitionedBy(spec, column.field_id)) {
      advice.push_back(PartitionAdvice(column, transform));
    }
  }
  for (const Clustering& column : explanation.clustering) {
    if (column.files_without_bounds > 0 && explanation.files.in.count > 1) {
      advice.push_back(MetricsAdvice(column));
    }
  }
  return advice;
}

}  // namespace nunatak
