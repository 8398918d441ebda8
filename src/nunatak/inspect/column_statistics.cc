#include "nunatak/inspect/column_statistics.h"

#include <unordered_map>
#include <utility>

#include "nunatak/iceberg/field_metrics.h"
#include "nunatak/iceberg/iceberg_source.h"
#include "nunatak/inspect/distinct_values.h"
#include "nunatak/inspect/manifest_walk.h"
#include "nunatak/inspect/source_files.h"
#include "nunatak/inspect/verify/verify_bounds.h"
#include "nunatak/table/single_value.h"

namespace nunatak {

using iceberg::FieldMetrics;
using iceberg::ManifestFile;
using iceberg::WalkedEntry;

namespace {

/// Adds a count that is known: a negative one comes from a faulty writer, and says nothing.
void AddCount(const std::optional<int64_t>& count, std::optional<int64_t>* sum) {
  if (count && *count >= 0) *sum = sum->value_or(0) + *count;
}

bool HasNoValues(const FieldMetrics& metrics) {
  const int64_t others = metrics.null_value_count.value_or(0) + metrics.nan_value_count.value_or(0);
  return metrics.value_count && *metrics.value_count >= 0 && others >= *metrics.value_count;
}

/// Takes the bound when it is further out than the one so far.
void Widen(const ValueView& bound, bool is_lower, std::optional<Value>* widest) {
  if (*widest) {
    const int order = CompareForBounds(bound, (*widest)->view());
    if (is_lower ? order >= 0 : order <= 0) return;
  }
  *widest = Value::Of(bound);
}

void AddBounds(const FieldMetrics& metrics, ColumnStatistics* column) {
  ValueView lower;
  ValueView upper;
  const auto decode = [column](const std::optional<ByteSpan>& bytes, ValueView* bound) {
    return bytes && column->type.is_comparable() &&
           DecodeSingleValue(column->type, *bytes, bound) && !bound->is_nan();
  };
  const bool has_lower = decode(metrics.lower_bound, &lower);
  const bool has_upper = decode(metrics.upper_bound, &upper);
  if (has_lower) Widen(lower, true, &column->lower_bound);
  if (has_upper) Widen(upper, false, &column->upper_bound);
  if ((has_lower && has_upper) || HasNoValues(metrics)) ++column->bounded_files;
}

void AddMetrics(const FieldMetrics& metrics, ColumnStatistics* column) {
  AddCount(metrics.value_count, &column->value_count);
  AddCount(metrics.null_value_count, &column->null_value_count);
  AddCount(metrics.nan_value_count, &column->nan_value_count);
  if (metrics.value_count && *metrics.value_count >= 0) ++column->counted_files;
  AddBounds(metrics, column);
}

void Merge(const ColumnStatistics& from, ColumnStatistics* to) {
  to->files += from.files;
  AddCount(from.value_count, &to->value_count);
  AddCount(from.null_value_count, &to->null_value_count);
  AddCount(from.nan_value_count, &to->nan_value_count);
  to->counted_files += from.counted_files;
  to->bounded_files += from.bounded_files;
  if (from.lower_bound) Widen(from.lower_bound->view(), true, &to->lower_bound);
  if (from.upper_bound) Widen(from.upper_bound->view(), false, &to->upper_bound);
}

void AddLeaves(const Schema& schema, std::span<const Field> fields,
               std::vector<ColumnStatistics>* columns) {
  for (const Field& field : fields) {
    if (field.type.is_nested()) {
      AddLeaves(schema, field.type.fields(), columns);
    } else {
      ColumnStatistics& column = columns->emplace_back();
      column.field_id = field.id;
      column.column = schema.NameOf(field.id);
      column.type = field.type;
    }
  }
}

/// What one manifest says; the columns are those of `none`.
std::vector<ColumnStatistics> StatisticsOf(const std::vector<ColumnStatistics>& none,
                                           const std::unordered_map<int64_t, size_t>& places,
                                           iceberg::EntryWalk& walk) {
  std::vector<ColumnStatistics> columns = none;
  iceberg::FieldMetricsReader metrics(walk.shape());
  int64_t files = 0;
  walk.ForEach([&](const WalkedEntry& entry) {
    if (entry.head.status == iceberg::EntryStatus::kDeleted) return;
    ++files;
    for (const FieldMetrics& field : metrics.Read(entry.slots)) {
      const auto at = places.find(field.field_id);
      if (at != places.end()) AddMetrics(field, &columns[at->second]);
    }
  });
  for (ColumnStatistics& column : columns) column.files = files;
  return columns;
}

std::unordered_map<int64_t, size_t> PlacesOf(const std::vector<ColumnStatistics>& columns) {
  std::unordered_map<int64_t, size_t> places;
  for (size_t i = 0; i < columns.size(); ++i) places.emplace(columns[i].field_id, i);
  return places;
}

FieldMetrics FieldMetricsOf(const ColumnMetrics& metrics) {
  const auto bytes = [](const std::optional<std::string>& bound) {
    return bound ? std::optional(AsBytes(*bound)) : std::nullopt;
  };
  return {.field_id = metrics.field_id,
          .column_size = metrics.column_size,
          .value_count = metrics.value_count,
          .null_value_count = metrics.null_value_count,
          .nan_value_count = metrics.nan_value_count,
          .lower_bound = bytes(metrics.lower_bound),
          .upper_bound = bytes(metrics.upper_bound)};
}

}  // namespace

std::vector<ColumnStatistics> ReadColumnStatistics(std::shared_ptr<const SnapshotSource> source,
                                                   const Context& context) {
  std::vector<ColumnStatistics> columns;
  AddLeaves(source->schema(), source->schema().fields(), &columns);
  const std::unordered_map<int64_t, size_t> places = PlacesOf(columns);
  ForEachPart(SourceFiles(std::move(source)), context, /*column_metrics=*/true,
              [&](size_t, const std::vector<DataFile>& files) {
                for (ColumnStatistics& column : columns) {
                  column.files += static_cast<int64_t>(files.size());
                }
                for (const DataFile& file : files) {
                  for (const ColumnMetrics& metrics : file.metrics) {
                    const auto at = places.find(metrics.field_id);
                    if (at != places.end()) {
                      AddMetrics(FieldMetricsOf(metrics), &columns[at->second]);
                    }
                  }
                }
              });
  return columns;
}

std::vector<ColumnStatistics> ReadColumnStatistics(const iceberg::Table& table,
                                                   const Context& context,
                                                   const iceberg::ChosenSnapshot& snapshot) {
  std::vector<ColumnStatistics> columns;
  AddLeaves(snapshot.schema, snapshot.schema.fields(), &columns);
  const std::vector<ColumnStatistics> none = columns;
  const std::unordered_map<int64_t, size_t> places = PlacesOf(none);
  std::vector<ManifestFile> files = iceberg::ReadManifests(table, snapshot.snapshot);
  std::erase_if(files, [](const ManifestFile& file) { return file.is_delete_manifest(); });
  std::vector<std::vector<ColumnStatistics>> parts(files.size());
  const auto visit = [&](size_t i, iceberg::EntryWalk& walk) {
    parts[i] = StatisticsOf(none, places, walk);
  };
  const auto take = [&](size_t i) {
    for (size_t c = 0; c < columns.size(); ++c) Merge(parts[i][c], &columns[c]);
    parts[i].clear();
  };
  WalkManifests(table, TableFacts(*table.metadata), context, files, {.visit = visit, .take = take});
  const auto estimates = DistinctValues(table, snapshot.snapshot);
  for (ColumnStatistics& column : columns) {
    const auto at = estimates.find(column.field_id);
    if (at == estimates.end()) continue;
    column.distinct_values = at->second.values;
    column.distinct_snapshot_id = at->second.snapshot_id;
  }
  return columns;
}

}  // namespace nunatak
