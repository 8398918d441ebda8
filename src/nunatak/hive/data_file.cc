#include "nunatak/hive/data_file.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "nunatak/hive/merge_fields.h"
#include "nunatak/table/single_value.h"

namespace nunatak::hive {

namespace {

/// Value counts, null counts, NaN counts, lower and upper bounds.
constexpr uint8_t kMetricMaps = 0b111110;

/// Follows the columns of a file and those of the table side by side, by name.
class MetricsBuilder {
 public:
  MetricsBuilder(const FileFooter& footer, DataFile* file) : footer_(footer), file_(file) {}

  /// `table` is empty for what the table does not have.
  void Add(std::span<const Field> columns, std::span<const Field> table, bool nested) {
    for (const Field& column : columns) {
      const auto found = std::find_if(table.begin(), table.end(), [&](const Field& field) {
        return field.name == column.name;
      });
      const Field* field = found == table.end() ? nullptr : &*found;
      if (column.type.is_struct()) {
        const bool both = field != nullptr && field->type.is_struct();
        Add(column.type.fields(), both ? field->type.fields() : std::span<const Field>(), true);
      } else if (!column.type.is_nested() && leaf_ < footer_.leaves.size()) {
        const LeafBounds& bounds = footer_.leaves[leaf_++];
        if (field != nullptr && Promotes(column.type, field->type))
          AddLeaf(field->id, bounds, nested);
      }
    }
  }

 private:
  void AddLeaf(int32_t field_id, const LeafBounds& bounds, bool nested) {
    ColumnMetrics metrics{.field_id = field_id,
                          .null_value_count = bounds.nulls,
                          .lower_bound = bounds.lower,
                          .upper_bound = bounds.upper};
    // Writers disagree on whether nulls of a parent count: within structs, no count is complete.
    if (!nested && bounds.nulls) metrics.value_count = footer_.rows;
    file_->metrics.push_back(std::move(metrics));
  }

  const FileFooter& footer_;
  DataFile* file_;
  size_t leaf_ = 0;
};

/// Of a column that has one value in all rows.
ColumnMetrics MetricsOf(int32_t field_id, const Type& type, const Value& value,
                        std::optional<int64_t> rows) {
  ColumnMetrics metrics{.field_id = field_id, .value_count = rows};
  const bool is_nan = value.view().is_nan();
  metrics.null_value_count = value.is_null() ? rows : std::optional<int64_t>(0);
  if (value.view().kind == ValueView::Kind::kReal) {
    metrics.nan_value_count = is_nan ? rows : std::optional<int64_t>(0);
  }
  if (!value.is_null() && !is_nan) {
    metrics.lower_bound = EncodeSingleValue(type, value.view());
    metrics.upper_bound = metrics.lower_bound;
  }
  return metrics;
}

}  // namespace

DataFile MakeDataFile(const Table& table, const PartitionValues& partition, const FileInfo& listed,
                      const FileFooter* footer) {
  DataFile file;
  file.file_path = listed.location;
  file.file_size_in_bytes = listed.size;
  file.partition = partition;
  if (footer == nullptr) return file;
  file.file_format = footer->format;
  file.record_count = footer->rows.value_or(-1);
  if (!footer->section_starts.empty()) file.split_offsets = footer->section_starts;
  file.metric_maps = kMetricMaps;
  MetricsBuilder(*footer, &file).Add(*footer->columns, table.file_columns, false);
  for (size_t i = 0; i < partition.size(); ++i) {
    file.metrics.push_back(MetricsOf(table.spec.fields[i].source_id(),
                                     table.partition_type.fields()[i].type, partition[i],
                                     footer->rows));
  }
  std::sort(file.metrics.begin(), file.metrics.end(),
            [](const ColumnMetrics& a, const ColumnMetrics& b) { return a.field_id < b.field_id; });
  return file;
}

}  // namespace nunatak::hive
