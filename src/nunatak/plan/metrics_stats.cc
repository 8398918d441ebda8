#include "nunatak/plan/metrics_stats.h"

#include <algorithm>

#include "nunatak/table/metadata_columns.h"
#include "nunatak/table/single_value.h"

namespace nunatak {
namespace {

bool IsFloating(const Type& type) {
  return type.id() == TypeId::kFloat || type.id() == TypeId::kDouble;
}

Known KnownIf(bool yes) { return yes ? Known::kYes : Known::kNo; }

/// Decodes both bounds, or leaves both unknown when one is NaN: early writers stored what their
/// minimum and maximum came out as when NaN took part, and neither can be trusted then.
void SetBounds(const Type& type, const RecordedMetrics& metrics, ColumnStats* stats) {
  ValueView lower;
  ValueView upper;
  if (metrics.lower_bound.data() != nullptr &&
      !DecodeSingleValue(type, metrics.lower_bound, &lower)) {
    lower = ValueView();
  }
  if (metrics.upper_bound.data() != nullptr &&
      !DecodeSingleValue(type, metrics.upper_bound, &upper)) {
    upper = ValueView();
  }
  if (lower.is_nan() || upper.is_nan()) return;
  stats->lower = lower;
  stats->upper = upper;
}

/// Writers disagree about nested columns: some (ORC's) leave the rows whose struct is null out of
/// both counts, so that a null count of 0 proves something only when the value count covers every
/// row. A top-level column's value count must be the number of rows; when it is not, it proves
/// nothing.
void SetNulls(bool nullable, ColumnPlacement placement, const RecordedMetrics& metrics,
              int64_t record_count, ColumnStats* stats) {
  if (!nullable) {
    stats->has_nulls = Known::kNo;
    stats->all_null = Known::kNo;
    return;
  }
  const int64_t nulls = metrics.null_value_count;
  const int64_t values = metrics.value_count;
  if (nulls < 0 || (values >= 0 && nulls > values)) return;
  const bool nested = placement == ColumnPlacement::kNested;
  const bool counts_every_row = values >= 0 && values == record_count;
  if (nulls > 0) {
    stats->has_nulls = Known::kYes;
  } else if (!nested || counts_every_row) {
    stats->has_nulls = Known::kNo;
  }
  if (values >= 0 && (nested || counts_every_row)) stats->all_null = KnownIf(nulls == values);
}

void SetNans(const Type& type, const RecordedMetrics& metrics, ColumnStats* stats) {
  if (!IsFloating(type)) {
    stats->has_nans = Known::kNo;
    stats->all_nan = Known::kNo;
    return;
  }
  const int64_t nans = metrics.nan_value_count;
  if (nans < 0) return;
  stats->has_nans = KnownIf(nans > 0);
  if (metrics.value_count < 0) return;
  if (nans > 0 && nans == metrics.value_count) {
    stats->all_nan = Known::kYes;
  } else if (metrics.null_value_count >= 0) {
    const int64_t numbers = metrics.value_count - metrics.null_value_count - nans;
    if (numbers >= 0 && (numbers > 0 || nans > 0)) stats->all_nan = KnownIf(numbers == 0);
  }
}

RecordedMetrics MetricsOf(const ColumnMetrics& column) {
  RecordedMetrics metrics;
  if (column.lower_bound) metrics.lower_bound = AsBytes(*column.lower_bound);
  if (column.upper_bound) metrics.upper_bound = AsBytes(*column.upper_bound);
  metrics.value_count = column.value_count.value_or(-1);
  metrics.null_value_count = column.null_value_count.value_or(-1);
  metrics.nan_value_count = column.nan_value_count.value_or(-1);
  return metrics;
}

ColumnPlacement PlacementOf(int32_t field_id, const Schema& schema) {
  const std::vector<int32_t> path = schema.PathTo(field_id);
  if (schema.IsRepeated(field_id)) return ColumnPlacement::kRepeated;
  return path.size() == 1 ? ColumnPlacement::kTopLevel : ColumnPlacement::kNested;
}

/// All values of a column without nulls lie in [lower, upper].
ColumnStats Between(const ValueView& lower, const ValueView& upper) {
  ColumnStats stats;
  stats.lower = lower;
  stats.upper = upper;
  stats.has_nulls = stats.all_null = stats.has_nans = stats.all_nan = Known::kNo;
  return stats;
}

/// What the manifest says of a metadata column of a file.
ColumnStats MetadataStats(int32_t field_id, const FileBatch& batch, size_t i) {
  switch (field_id) {
    case kFileColumnId: {
      const ValueView path = ValueView::Bytes(batch.file_paths[i]);
      return Between(path, path);
    }
    case kSpecIdColumnId: {
      const ValueView spec_id = ValueView::Integer(batch.partition_spec_id);
      return Between(spec_id, spec_id);
    }
    case kPositionColumnId:
      return Between(ValueView::Integer(0), ValueView::Integer(batch.record_counts[i] - 1));
    default:
      return {};
  }
}

}  // namespace

ColumnStats StatsFromMetrics(const BoundFilter::Column& column, ColumnPlacement placement,
                             const RecordedMetrics& metrics, int64_t record_count) {
  ColumnStats stats;
  if (placement == ColumnPlacement::kRepeated) return stats;
  SetBounds(column.type, metrics, &stats);
  SetNulls(column.nullable, placement, metrics, record_count, &stats);
  SetNans(column.type, metrics, &stats);
  return stats;
}

MetricsLayout::MetricsLayout(std::span<const BoundFilter::Column> columns, const Schema& schema) {
  for (const BoundFilter::Column& column : columns) {
    // Files have no metrics of metadata columns, or (of row lineage) only of a part of the rows.
    if (!IsMetadataColumn(column.field_id)) field_ids_.push_back(column.field_id);
  }
  std::sort(field_ids_.begin(), field_ids_.end());
  field_ids_.erase(std::unique(field_ids_.begin(), field_ids_.end()), field_ids_.end());
  for (int32_t id : field_ids_) placements_.push_back(PlacementOf(id, schema));
}

int MetricsLayout::Find(int32_t field_id) const {
  const auto at = std::lower_bound(field_ids_.begin(), field_ids_.end(), field_id);
  if (at == field_ids_.end() || *at != field_id) return -1;
  return static_cast<int>(at - field_ids_.begin());
}

ColumnStats BatchFileStats::Stats(const BoundFilter::Column& column) const {
  if (IsMetadataColumn(column.field_id)) return MetadataStats(column.field_id, batch_, i_);
  const int slot = layout_.Find(column.field_id);
  if (slot < 0) return {};
  const MetricColumn& metrics = *batch_.metrics[slot];
  return StatsFromMetrics(column, layout_.placement(slot),
                          {.lower_bound = metrics.lower_bounds[i_],
                           .upper_bound = metrics.upper_bounds[i_],
                           .value_count = metrics.value_counts[i_],
                           .null_value_count = metrics.null_value_counts[i_],
                           .nan_value_count = metrics.nan_value_counts[i_]},
                          batch_.record_counts[i_]);
}

ColumnStats DataFileStats::Stats(const BoundFilter::Column& column) const {
  const int slot = layout_.Find(column.field_id);
  if (slot < 0) return {};
  const ColumnMetrics* metrics = file_.FindMetrics(column.field_id);
  return StatsFromMetrics(column, layout_.placement(slot),
                          metrics ? MetricsOf(*metrics) : RecordedMetrics{}, file_.record_count);
}

}  // namespace nunatak
