#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "nunatak/iceberg/iceberg_source.h"
#include "nunatak/iceberg/partition_types.h"
#include "nunatak/inspect/json_values.h"
#include "nunatak/inspect/metadata_rows.h"
#include "nunatak/inspect/partition_text.h"
#include "nunatak/inspect/partition_type.h"
#include "nunatak/table/single_value.h"
#include "nunatak/table/value_json.h"

namespace nunatak {

using iceberg::ManifestEntry;
using iceberg::ManifestFile;
using nlohmann::ordered_json;

namespace {

/// One metric map as an object by field id; null when the manifest had no such map.
template <typename Get>
ordered_json MetricMap(const DataFile& file, int map, Get get) {
  if (!(file.metric_maps & (1U << map))) return nullptr;
  ordered_json object = ordered_json::object();
  for (const ColumnMetrics& metrics : file.metrics) {
    ordered_json value = get(metrics);
    if (!value.is_null()) object[std::to_string(metrics.field_id)] = std::move(value);
  }
  return object;
}

/// What the rows of `files` and `entries` share.
class FileFormatter {
 public:
  explicit FileFormatter(const iceberg::TableMetadata& metadata);

  bool is_partitioned() const { return !partitions_.type().fields().empty(); }
  /// The columns of a content file, without `readable_metrics`.
  std::vector<std::string> columns() const;
  ordered_json File(const DataFile& file, const PartitionSpec& spec) const;
  /// Counts and decoded bounds by the column's name, for every leaf of the current schema.
  ordered_json ReadableMetrics(const DataFile& file) const;

 private:
  void CollectLeaves(const Schema& schema, std::span<const Field> fields);

  MergedPartitions partitions_;
  Schema schema_;
  /// Name and field id, by name.
  std::vector<std::pair<std::string, int32_t>> leaves_;
};

FileFormatter::FileFormatter(const iceberg::TableMetadata& metadata)
    : partitions_(metadata), schema_(metadata.current_schema()) {
  CollectLeaves(schema_, schema_.fields());
  std::sort(leaves_.begin(), leaves_.end());
}

void FileFormatter::CollectLeaves(const Schema& schema, std::span<const Field> fields) {
  for (const Field& field : fields) {
    if (field.type.is_nested()) {
      CollectLeaves(schema, field.type.fields());
    } else {
      leaves_.emplace_back(schema.NameOf(field.id), field.id);
    }
  }
}

std::vector<std::string> FileFormatter::columns() const {
  std::vector<std::string> names = {"content", "file_path", "file_format", "spec_id"};
  if (is_partitioned()) names.emplace_back("partition");
  for (const char* name :
       {"record_count", "file_size_in_bytes", "column_sizes", "value_counts", "null_value_counts",
        "nan_value_counts", "lower_bounds", "upper_bounds", "key_metadata", "split_offsets",
        "equality_ids", "sort_order_id", "first_row_id", "referenced_data_file", "content_offset",
        "content_size_in_bytes"}) {
    names.emplace_back(name);
  }
  return names;
}

ordered_json FileFormatter::File(const DataFile& file, const PartitionSpec& spec) const {
  ordered_json row = {{"content", static_cast<int>(file.content)},
                      {"file_path", file.file_path},
                      {"file_format", ToString(file.file_format)},
                      {"spec_id", file.partition_spec_id}};
  if (is_partitioned()) {
    row["partition"] = ValueToCell(partitions_.type(), partitions_.Project(spec, file.partition));
  }
  using M = ColumnMetrics;
  row["record_count"] = file.record_count;
  row["file_size_in_bytes"] = file.file_size_in_bytes;
  row["column_sizes"] = MetricMap(file, 0, [](const M& m) { return OrNull(m.column_size); });
  row["value_counts"] = MetricMap(file, 1, [](const M& m) { return OrNull(m.value_count); });
  row["null_value_counts"] =
      MetricMap(file, 2, [](const M& m) { return OrNull(m.null_value_count); });
  row["nan_value_counts"] =
      MetricMap(file, 3, [](const M& m) { return OrNull(m.nan_value_count); });
  row["lower_bounds"] = MetricMap(file, 4, [](const M& m) { return HexOrNull(m.lower_bound); });
  row["upper_bounds"] = MetricMap(file, 5, [](const M& m) { return HexOrNull(m.upper_bound); });
  row["key_metadata"] = HexOrNull(file.key_metadata);
  row["split_offsets"] = OrNull(file.split_offsets);
  row["equality_ids"] = OrNull(file.equality_ids);
  row["sort_order_id"] = OrNull(file.sort_order_id);
  row["first_row_id"] = OrNull(file.first_row_id);
  row["referenced_data_file"] = OrNull(file.referenced_data_file);
  row["content_offset"] = OrNull(file.content_offset);
  row["content_size_in_bytes"] = OrNull(file.content_size_in_bytes);
  return row;
}

ordered_json Bound(const Type& type, const std::optional<std::string>& bytes) {
  ValueView value;
  if (!bytes || !DecodeSingleValue(type, AsBytes(*bytes), &value)) return nullptr;
  if (type.id() == TypeId::kString) return ValueToText(type, value);
  return ValueToCell(type, Value::Of(value));
}

ordered_json FileFormatter::ReadableMetrics(const DataFile& file) const {
  static const ColumnMetrics kNone;
  ordered_json object = ordered_json::object();
  for (const auto& [name, id] : leaves_) {
    const ColumnMetrics* found = file.FindMetrics(id);
    const ColumnMetrics& m = found ? *found : kNone;
    const Type& type = schema_.FindField(id)->type;
    object[name] = {{"column_size", OrNull(m.column_size)},
                    {"value_count", OrNull(m.value_count)},
                    {"null_value_count", OrNull(m.null_value_count)},
                    {"nan_value_count", OrNull(m.nan_value_count)},
                    {"lower_bound", Bound(type, m.lower_bound)},
                    {"upper_bound", Bound(type, m.upper_bound)}};
  }
  return object;
}

/// Calls `visit` for every entry of a snapshot, in the order of its manifests.
void ForEachEntry(const iceberg::Table& table, const iceberg::Snapshot* snapshot,
                  const std::function<void(const ManifestEntry&, const PartitionSpec&)>& visit) {
  for (const ManifestFile& file : iceberg::ReadManifests(table, snapshot)) {
    const iceberg::Manifest manifest = iceberg::ReadManifest(table, file);
    for (const ManifestEntry& entry : manifest.entries) visit(entry, manifest.partition_spec);
  }
}

}  // namespace

MetadataRows FileRows(const iceberg::Table& table, const iceberg::Snapshot* snapshot) {
  auto formatter = std::make_shared<FileFormatter>(*table.metadata);
  std::vector<std::string> columns = formatter->columns();
  columns.emplace_back("readable_metrics");
  return {std::move(columns), [formatter, &table, snapshot](const MetadataRows::Sink& sink) {
            ForEachEntry(table, snapshot, [&](const ManifestEntry& entry, const auto& spec) {
              if (!entry.is_live()) return;
              ordered_json row = formatter->File(entry.data_file, spec);
              row["readable_metrics"] = formatter->ReadableMetrics(entry.data_file);
              sink(row);
            });
          }};
}

MetadataRows EntryRows(const iceberg::Table& table, const iceberg::Snapshot* snapshot) {
  auto formatter = std::make_shared<FileFormatter>(*table.metadata);
  return {{"status", "snapshot_id", "sequence_number", "file_sequence_number", "data_file",
           "readable_metrics"},
          [formatter, &table, snapshot](const MetadataRows::Sink& sink) {
            ForEachEntry(table, snapshot, [&](const ManifestEntry& entry, const auto& spec) {
              sink({{"status", static_cast<int>(entry.status)},
                    {"snapshot_id", OrNull(entry.snapshot_id)},
                    {"sequence_number", entry.sequence_number},
                    {"file_sequence_number", entry.file_sequence_number},
                    {"data_file", formatter->File(entry.data_file, spec)},
                    {"readable_metrics", formatter->ReadableMetrics(entry.data_file)}});
            });
          }};
}

namespace {

ordered_json SummaryBound(const PartitionField& field, const Type& type,
                          const std::optional<std::string>& bytes) {
  ValueView value;
  if (!bytes || !DecodeSingleValue(type, AsBytes(*bytes), &value)) return nullptr;
  return PartitionText(field.transform, type, value);
}

ordered_json Summaries(const iceberg::TableMetadata& metadata, const ManifestFile& file) {
  const PartitionSpec* spec = metadata.FindSpec(file.partition_spec_id);
  ordered_json list = ordered_json::array();
  if (!spec || !file.partitions || file.partitions->size() != spec->fields.size()) return list;
  const Type type = iceberg::PartitionTypeOf(metadata, *spec);
  for (size_t i = 0; i < spec->fields.size(); ++i) {
    const FieldSummary& summary = (*file.partitions)[i];
    const Type& field_type = type.fields()[i].type;
    list.push_back(
        {{"contains_null", summary.contains_null},
         {"contains_nan", OrNull(summary.contains_nan)},
         {"lower_bound", SummaryBound(spec->fields[i], field_type, summary.lower_bound)},
         {"upper_bound", SummaryBound(spec->fields[i], field_type, summary.upper_bound)}});
  }
  return list;
}

/// The counts of a manifest belong to its own kind of files; those of the other kind are 0.
ordered_json CountIf(bool of_this_kind, const std::optional<int32_t>& count) {
  return of_this_kind ? OrNull(count) : ordered_json(0);
}

}  // namespace

MetadataRows ManifestRows(const iceberg::Table& table, const iceberg::Snapshot* snapshot) {
  return {{"content", "path", "length", "partition_spec_id", "added_snapshot_id",
           "added_data_files_count", "existing_data_files_count", "deleted_data_files_count",
           "added_delete_files_count", "existing_delete_files_count", "deleted_delete_files_count",
           "partition_summaries"},
          [&table, snapshot](const MetadataRows::Sink& sink) {
            for (const ManifestFile& file : iceberg::ReadManifests(table, snapshot)) {
              const bool data = !file.is_delete_manifest();
              sink({{"content", static_cast<int>(file.content)},
                    {"path", file.manifest_path},
                    {"length", file.manifest_length},
                    {"partition_spec_id", file.partition_spec_id},
                    {"added_snapshot_id", OrNull(file.added_snapshot_id)},
                    {"added_data_files_count", CountIf(data, file.added_files_count)},
                    {"existing_data_files_count", CountIf(data, file.existing_files_count)},
                    {"deleted_data_files_count", CountIf(data, file.deleted_files_count)},
                    {"added_delete_files_count", CountIf(!data, file.added_files_count)},
                    {"existing_delete_files_count", CountIf(!data, file.existing_files_count)},
                    {"deleted_delete_files_count", CountIf(!data, file.deleted_files_count)},
                    {"partition_summaries", Summaries(*table.metadata, file)}});
            }
          }};
}

}  // namespace nunatak
