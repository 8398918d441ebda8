#include "nunatak/inspect/table_summary.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "nunatak/base/display_width.h"
#include "nunatak/iceberg/iceberg_source.h"
#include "nunatak/inspect/json_values.h"
#include "nunatak/inspect/type_name.h"
#include "nunatak/table/schema_json.h"
#include "nunatak/table/value_json.h"

namespace nunatak {

using nlohmann::ordered_json;

namespace {

/// A count of a snapshot's summary, where the writer recorded it.
std::optional<int64_t> SummaryNumber(const iceberg::Snapshot& snapshot, const std::string& key) {
  const auto at = snapshot.summary.find(key);
  if (at == snapshot.summary.end()) return std::nullopt;
  const std::string& text = at->second;
  int64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// What the snapshot's summary says; null where it says nothing.
ordered_json Totals(const iceberg::Table& table, const iceberg::Snapshot* snapshot) {
  constexpr std::pair<const char*, const char*> kTotals[] = {
      {"data_files", "total-data-files"},
      {"delete_files", "total-delete-files"},
      {"records", "total-records"},
      {"files_size", "total-files-size"},
      {"position_deletes", "total-position-deletes"},
      {"equality_deletes", "total-equality-deletes"},
  };
  ordered_json totals = ordered_json::object();
  for (const auto& [name, key] : kTotals) {
    totals[name] = snapshot ? OrNull(SummaryNumber(*snapshot, key)) : ordered_json(0);
  }
  totals["manifests"] = iceberg::ReadManifests(table, snapshot).size();
  totals["snapshots"] = table.metadata->snapshots.size();
  return totals;
}

ordered_json MetadataLog(const iceberg::TableMetadata& metadata) {
  ordered_json log = ordered_json::array();
  for (const iceberg::MetadataLogEntry& entry : metadata.metadata_log) {
    log.push_back({{"timestamp", TimeJson(entry.timestamp_ms)}, {"file", entry.metadata_file}});
  }
  return log;
}

}  // namespace

ordered_json TableSummary(const iceberg::Table& table, const iceberg::ChosenSnapshot& snapshot) {
  const iceberg::TableMetadata& metadata = *table.metadata;
  ordered_json refs = ordered_json::object();
  for (const auto& [name, ref] : metadata.refs) refs[name] = ref.snapshot_id;
  return {{"format", "iceberg"},
          {"format_version", metadata.format_version},
          {"table_uuid", OrNull(metadata.table_uuid)},
          {"location", metadata.location},
          {"metadata_location", table.metadata_location},
          {"current_snapshot_id", OrNull(metadata.current_snapshot_id)},
          {"snapshot_id",
           snapshot.snapshot ? ordered_json(snapshot.snapshot->snapshot_id) : ordered_json()},
          {"last_updated_at", TimeJson(metadata.last_updated_ms)},
          {"last_sequence_number", metadata.last_sequence_number},
          {"last_column_id", metadata.last_column_id},
          {"next_row_id",
           metadata.format_version >= 3 ? ordered_json(metadata.next_row_id) : ordered_json()},
          {"schema", SchemaToJson(snapshot.schema)},
          {"partition_spec", PartitionSpecToJson(metadata.default_spec())},
          {"sort_order", SortOrderToJson(metadata.default_sort_order())},
          {"properties", ordered_json(metadata.properties)},
          {"refs", std::move(refs)},
          {"counts",
           {{"schemas", metadata.schemas.size()},
            {"partition_specs", metadata.partition_specs.size()},
            {"sort_orders", metadata.sort_orders.size()},
            {"snapshots", metadata.snapshots.size()},
            {"metadata_log", metadata.metadata_log.size()},
            {"statistics", metadata.statistics.size()},
            {"partition_statistics", metadata.partition_statistics.size()}}},
          {"totals", Totals(table, snapshot.snapshot)},
          {"metadata_log", MetadataLog(metadata)}};
}

namespace {

std::string DefaultText(const Field& field, const char* name, const std::optional<Value>& value) {
  if (!value) return "";
  return fmt::format(
      "  {} {}", name,
      ValueToCell(field.type, *value).dump(-1, ' ', false, ordered_json::error_handler_t::replace));
}

void AppendFields(std::span<const Field> fields, int depth, std::string* text) {
  for (const Field& field : fields) {
    *text += fmt::format("{:>{}}: {}  {}{}{}{}{}\n", field.id, 4 + 2 * depth, OneLine(field.name),
                         TypeName(field.type), field.required ? "  required" : "",
                         DefaultText(field, "initial-default", field.initial_default),
                         DefaultText(field, "write-default", field.write_default),
                         field.doc.empty() ? "" : "  -- " + OneLine(field.doc));
    AppendFields(field.type.fields(), depth + 1, text);
  }
}

std::string SourceNames(const std::vector<int32_t>& ids, const Schema& schema) {
  std::string names;
  for (int32_t id : ids) {
    const std::string name = schema.NameOf(id);
    names += (names.empty() ? "" : ", ") + (name.empty() ? fmt::format("#{}", id) : name);
  }
  return names;
}

}  // namespace

std::string SchemaText(const Schema& schema) {
  std::string text;
  AppendFields(schema.fields(), 0, &text);
  return text;
}

std::string PartitionSpecText(const PartitionSpec& spec, const Schema& schema) {
  if (spec.fields.empty()) return "unpartitioned";
  std::string text;
  for (const PartitionField& field : spec.fields) {
    text += fmt::format("{}{}({}) as {}", text.empty() ? "" : ", ", field.transform.ToString(),
                        SourceNames(field.source_ids, schema), field.name);
  }
  return text;
}

std::string SortOrderText(const SortOrder& order, const Schema& schema) {
  if (order.fields.empty()) return "unsorted";
  std::string text;
  for (const SortField& field : order.fields) {
    text += fmt::format("{}{}({}) {} {}", text.empty() ? "" : ", ", field.transform.ToString(),
                        SourceNames(field.source_ids, schema),
                        field.direction == SortDirection::kAscending ? "asc" : "desc",
                        field.null_order == NullOrder::kNullsFirst ? "nulls first" : "nulls last");
  }
  return text;
}

}  // namespace nunatak
