#include "nunatak/iceberg/snapshot_json.h"

#include <fmt/format.h>

#include "nunatak/base/error.h"

namespace nunatak::iceberg {

namespace {

void RefuseEncrypted(const JsonObject& snapshot) {
  if (const auto key_id = snapshot.FindString("key-id")) {
    ThrowUnsupported(fmt::format("the snapshot is encrypted (key-id '{}')", *key_id),
                     "encrypted tables cannot be read");
  }
}

SnapshotRef::Type RefTypeFromText(std::string_view text) {
  if (text == "branch" || text == "BRANCH") return SnapshotRef::Type::kBranch;
  if (text == "tag" || text == "TAG") return SnapshotRef::Type::kTag;
  ThrowInvalid(fmt::format("type: expected 'branch' or 'tag', got '{}'", text));
}

StatisticsBlob StatisticsBlobFromJson(Json json) {
  const JsonObject object = json.Object();
  return StatisticsBlob{.type = object.String("type"),
                        .snapshot_id = object.Int64("snapshot-id"),
                        .sequence_number = object.Int64("sequence-number"),
                        .fields = FindInt32List(object, "fields"),
                        .properties = FindStringMap(object, "properties")};
}

}  // namespace

StringMap StringMapFromJson(Json json) {
  StringMap map;
  json.Object().ForEach([&](std::string_view name, Json value) {
    if (value.IsNull()) return;
    const bool scalar = value.IsNumber() || value.IsBool();
    map.insert_or_assign(std::string(name), scalar ? value.ToText() : std::string(value.String()));
  });
  return map;
}

StringMap FindStringMap(const JsonObject& object, std::string_view key) {
  const std::optional<Json> value = object.Find(key);
  if (!value) return {};
  return WithContext(key, [&] { return StringMapFromJson(*value); });
}

std::vector<int32_t> FindInt32List(const JsonObject& object, std::string_view key) {
  std::vector<int32_t> list;
  object.ForEachIn(key, [&](Json value) { list.push_back(value.Int32()); });
  return list;
}

Snapshot SnapshotFromJson(Json json) {
  const JsonObject object = json.Object();
  RefuseEncrypted(object);
  Snapshot snapshot{.snapshot_id = object.Int64("snapshot-id"),
                    .parent_snapshot_id = object.FindInt64("parent-snapshot-id"),
                    // Absent in what version 1 wrote, also after an upgrade of the table.
                    .sequence_number = object.FindInt64("sequence-number").value_or(0),
                    .timestamp_ms = object.Int64("timestamp-ms"),
                    .manifest_list = object.FindString("manifest-list"),
                    .manifests = {},
                    .operation = std::nullopt,
                    .summary = FindStringMap(object, "summary"),
                    .schema_id = object.FindInt32("schema-id"),
                    .first_row_id = object.FindInt64("first-row-id"),
                    .added_rows = object.FindInt64("added-rows")};
  if (auto operation = snapshot.summary.extract("operation")) {
    snapshot.operation = std::move(operation.mapped());
  }
  if (!snapshot.manifest_list) {
    if (!object.Find("manifests")) ThrowInvalid("neither 'manifest-list' nor 'manifests' is there");
    object.ForEachIn("manifests",
                     [&](Json value) { snapshot.manifests.emplace_back(value.String()); });
  }
  return snapshot;
}

SnapshotRef SnapshotRefFromJson(Json json) {
  const JsonObject object = json.Object();
  return SnapshotRef{.snapshot_id = object.Int64("snapshot-id"),
                     .type = RefTypeFromText(object.String("type")),
                     .min_snapshots_to_keep = object.FindInt32("min-snapshots-to-keep"),
                     .max_snapshot_age_ms = object.FindInt64("max-snapshot-age-ms"),
                     .max_ref_age_ms = object.FindInt64("max-ref-age-ms")};
}

StatisticsFile StatisticsFileFromJson(Json json) {
  const JsonObject object = json.Object();
  StatisticsFile file{.snapshot_id = object.Int64("snapshot-id"),
                      .statistics_path = object.String("statistics-path"),
                      .file_size_in_bytes = object.Int64("file-size-in-bytes"),
                      .file_footer_size_in_bytes = object.Int64("file-footer-size-in-bytes"),
                      .key_metadata = object.FindString("key-metadata"),
                      .blob_metadata = {}};
  object.ForEachIn("blob-metadata", [&](Json value) {
    file.blob_metadata.push_back(StatisticsBlobFromJson(value));
  });
  return file;
}

PartitionStatisticsFile PartitionStatisticsFileFromJson(Json json) {
  const JsonObject object = json.Object();
  return PartitionStatisticsFile{.snapshot_id = object.Int64("snapshot-id"),
                                 .statistics_path = object.String("statistics-path"),
                                 .file_size_in_bytes = object.Int64("file-size-in-bytes")};
}

}  // namespace nunatak::iceberg
