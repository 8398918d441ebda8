#include "nunatak/inspect/metadata_diff.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string>
#include <utility>

#include "nunatak/inspect/json_values.h"
#include "nunatak/table/schema_json.h"

namespace nunatak {

using nlohmann::ordered_json;

namespace {

/// Null when both are the same.
ordered_json FromTo(ordered_json from, ordered_json to) {
  if (from == to) return nullptr;
  return {{"from", std::move(from)}, {"to", std::move(to)}};
}

/// The changes between two maps from a name to a value: {"change", `key`, "from", "to"}.
ordered_json MapChanges(const char* key, const std::map<std::string, ordered_json>& from,
                        const std::map<std::string, ordered_json>& to) {
  ordered_json changes = ordered_json::array();
  const auto append = [&](const char* change, const std::string& name, ordered_json was,
                          ordered_json is) {
    changes.push_back({{"change", change}, {key, name}, {"from", was}, {"to", is}});
  };
  for (const auto& [name, value] : to) {
    const auto old = from.find(name);
    if (old == from.end()) append("add", name, nullptr, value);
    if (old != from.end() && old->second != value) append("change", name, old->second, value);
  }
  for (const auto& [name, value] : from) {
    if (!to.contains(name)) append("drop", name, value, nullptr);
  }
  return changes;
}

std::map<std::string, ordered_json> RefsOf(const iceberg::TableMetadata& metadata) {
  std::map<std::string, ordered_json> refs;
  for (const auto& [name, ref] : metadata.refs) {
    refs[name] = {{"type", ref.is_branch() ? "branch" : "tag"},
                  {"snapshot_id", ref.snapshot_id},
                  {"min_snapshots_to_keep", OrNull(ref.min_snapshots_to_keep)},
                  {"max_snapshot_age_ms", OrNull(ref.max_snapshot_age_ms)},
                  {"max_ref_age_ms", OrNull(ref.max_ref_age_ms)}};
  }
  return refs;
}

std::map<std::string, ordered_json> PropertiesOf(const iceberg::TableMetadata& metadata) {
  return {metadata.properties.begin(), metadata.properties.end()};
}

std::string FieldText(const PartitionField& field, const Schema& schema) {
  std::string sources;
  for (const int32_t id : field.source_ids) {
    const std::string name = schema.NameOf(id);
    sources += (sources.empty() ? "" : ", ") + (name.empty() ? fmt::format("#{}", id) : name);
  }
  return fmt::format("{}({}) as {}", field.transform.ToString(), sources, field.name);
}

/// The fields of the default spec by partition field id.
ordered_json SpecChanges(const iceberg::TableMetadata& from, const iceberg::TableMetadata& to) {
  const auto fields_of = [](const iceberg::TableMetadata& metadata, const Schema& schema) {
    std::map<int32_t, std::string> fields;
    for (const PartitionField& field : metadata.default_spec().fields) {
      fields[field.field_id] = FieldText(field, schema);
    }
    return fields;
  };
  // A column that was renamed is no change of the spec: both by the names of the same schema.
  const auto was = fields_of(from, to.current_schema());
  const auto is = fields_of(to, to.current_schema());
  ordered_json changes = ordered_json::array();
  const auto append = [&](const char* change, int32_t id, ordered_json old, ordered_json now) {
    changes.push_back({{"change", change}, {"field_id", id}, {"from", old}, {"to", now}});
  };
  for (const auto& [id, text] : is) {
    const auto old = was.find(id);
    if (old == was.end()) append("add", id, nullptr, text);
    if (old != was.end() && old->second != text) append("change", id, old->second, text);
  }
  for (const auto& [id, text] : was) {
    if (!is.contains(id)) append("drop", id, text, nullptr);
  }
  return changes;
}

ordered_json OrderFields(const iceberg::TableMetadata& metadata) {
  return SortOrderToJson(metadata.default_sort_order()).at("fields");
}

std::set<int64_t> SnapshotIds(const iceberg::TableMetadata& metadata) {
  std::set<int64_t> ids;
  for (size_t i = 0; i < metadata.snapshots.size(); ++i) ids.insert(metadata.snapshots.id(i));
  return ids;
}

ordered_json IdsWithout(const iceberg::TableMetadata& metadata, const std::set<int64_t>& others) {
  ordered_json ids = ordered_json::array();
  for (size_t i = 0; i < metadata.snapshots.size(); ++i) {
    if (!others.contains(metadata.snapshots.id(i))) ids.push_back(metadata.snapshots.id(i));
  }
  return ids;
}

}  // namespace

void AppendMetadataChanges(const iceberg::TableMetadata& from, const iceberg::TableMetadata& to,
                           ordered_json* diff) {
  (*diff)["format_version"] = FromTo(from.format_version, to.format_version);
  (*diff)["location"] = FromTo(from.location, to.location);
  (*diff)["partition_spec"] = SpecChanges(from, to);
  (*diff)["sort_order"] = FromTo(OrderFields(from), OrderFields(to));
  (*diff)["properties"] = MapChanges("key", PropertiesOf(from), PropertiesOf(to));
  (*diff)["refs"] = MapChanges("name", RefsOf(from), RefsOf(to));
  (*diff)["snapshots"] = {{"added", IdsWithout(to, SnapshotIds(from))},
                          {"removed", IdsWithout(from, SnapshotIds(to))}};
}

}  // namespace nunatak
