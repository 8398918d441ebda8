#include "nunatak/plan/partition_pruning.h"

#include "nunatak/table/single_value.h"

namespace nunatak {
namespace {

std::optional<size_t> FieldPosition(const PartitionSpec& spec, int32_t field_id) {
  for (size_t i = 0; i < spec.fields.size(); ++i) {
    if (spec.fields[i].field_id == field_id) return i;
  }
  return std::nullopt;
}

ValueView DecodeBound(const Type& type, const std::optional<std::string>& bound) {
  ValueView value;
  if (bound && DecodeSingleValue(type, AsBytes(*bound), &value)) return value;
  return {};
}

/// A summary without bounds means that no value was a plain one: all are null or NaN.
ColumnStats StatsOfSummary(const Type& type, const FieldSummary& summary) {
  const bool floating = type.id() == TypeId::kFloat || type.id() == TypeId::kDouble;
  const bool no_bounds = !summary.lower_bound && !summary.upper_bound;
  ColumnStats stats;
  stats.has_nulls = summary.contains_null ? Known::kYes : Known::kNo;
  if (!floating) {
    stats.has_nans = Known::kNo;
    stats.all_nan = Known::kNo;
  } else if (summary.contains_nan) {
    stats.has_nans = *summary.contains_nan ? Known::kYes : Known::kNo;
    if (no_bounds && *summary.contains_nan) stats.all_nan = Known::kYes;
  }
  if (!summary.contains_null) {
    stats.all_null = Known::kNo;
  } else if (no_bounds && stats.has_nans == Known::kNo) {
    stats.all_null = Known::kYes;
  }
  const ValueView lower = DecodeBound(type, summary.lower_bound);
  const ValueView upper = DecodeBound(type, summary.upper_bound);
  if (lower.is_nan() || upper.is_nan()) return stats;
  stats.lower = lower;
  stats.upper = upper;
  return stats;
}

ColumnStats StatsOfValue(const ValueView& value) {
  const bool nan = value.is_nan();
  ColumnStats stats;
  stats.has_nulls = stats.all_null = value.is_null() ? Known::kYes : Known::kNo;
  stats.has_nans = stats.all_nan = nan ? Known::kYes : Known::kNo;
  if (!nan) stats.lower = stats.upper = value;
  return stats;
}

}  // namespace

ColumnStats SummaryStats::Stats(const BoundFilter::Column& column) const {
  const std::optional<size_t> at = FieldPosition(spec_, column.field_id);
  if (!at || summaries_.size() != spec_.fields.size()) return {};
  return StatsOfSummary(column.type, summaries_[*at]);
}

ColumnStats BatchPartitionStats::Stats(const BoundFilter::Column& column) const {
  const std::optional<size_t> at = FieldPosition(spec_, column.field_id);
  if (!at || *at >= batch_.tuples.size()) return {};
  return StatsOfValue(batch_.tuples[*at][tuple_]);
}

PartitionFilter::PartitionFilter(const BoundFilter& filter, const PartitionSpec& spec,
                                 const Schema& schema)
    : spec_(std::make_shared<const PartitionSpec>(spec)),
      projected_(ProjectToPartition(filter, spec, schema, Mode::kInclusive)),
      residuals_(filter, spec, schema) {
  if (!residuals_.depends_on_partition()) {
    only_residual_ = std::make_shared<const BoundFilter>(filter);
  }
}

bool PartitionFilter::MayMatch(const FileGroup& group) const {
  if (!group.partitions) return !projected_.is_false();
  return Evaluate(projected_, SummaryStats(*spec_, *group.partitions), Mode::kInclusive);
}

bool PartitionFilter::MayMatch(const FileBatch& batch, size_t tuple) const {
  return Evaluate(projected_, BatchPartitionStats(*spec_, batch, tuple), Mode::kInclusive);
}

std::shared_ptr<const BoundFilter> PartitionFilter::ResidualFor(const FileBatch& batch,
                                                                size_t tuple) const {
  if (only_residual_) return only_residual_;
  std::vector<Value> values;
  for (const std::span<const ValueView>& column : batch.tuples) {
    values.push_back(Value::Of(column[tuple]));
  }
  return std::make_shared<const BoundFilter>(residuals_.ResidualFor(values));
}

}  // namespace nunatak
