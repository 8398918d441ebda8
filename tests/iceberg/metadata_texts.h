#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "nunatak/iceberg/metadata_json.h"

namespace nunatak::iceberg {

using JsonText = nlohmann::ordered_json;

inline std::shared_ptr<const TableMetadata> Parse(const JsonText& json) {
  const std::string text = json.dump();
  return ParseTableMetadata(AsBytes(text));
}

/// A table of version 2 with columns id and ts and no snapshot.
inline JsonText TextV2() {
  return JsonText::parse(R"({
    "format-version": 2, "table-uuid": "9c12d441-03fe-4693-9a96-a0705ddf69c1",
    "location": "file:/lake/t", "last-sequence-number": 0, "last-updated-ms": 5000,
    "last-column-id": 2, "current-schema-id": 0,
    "schemas": [{"type": "struct", "schema-id": 0, "fields": [
      {"id": 1, "name": "id", "required": true, "type": "long"},
      {"id": 2, "name": "ts", "required": false, "type": "timestamptz"}]}],
    "default-spec-id": 0, "partition-specs": [{"spec-id": 0, "fields": []}],
    "last-partition-id": 999,
    "default-sort-order-id": 0, "sort-orders": [{"order-id": 0, "fields": []}]})");
}

/// The same in version 1, with the fields that version 1 requires alone.
inline JsonText TextV1() {
  return JsonText::parse(R"({
    "format-version": 1, "location": "file:/lake/t", "last-updated-ms": 5000, "last-column-id": 2,
    "schema": {"type": "struct", "fields": [
      {"id": 1, "name": "id", "required": true, "type": "long"},
      {"id": 2, "name": "ts", "required": false, "type": "timestamptz"}]},
    "partition-spec": []})");
}

inline JsonText TextV3() {
  JsonText json = TextV2();
  json["format-version"] = 3;
  json["next-row-id"] = 0;
  return json;
}

/// Adds a snapshot to `snapshots` and to the log.
inline void AddSnapshot(JsonText* json, int64_t id, int64_t timestamp_ms) {
  (*json)["snapshots"].push_back({{"snapshot-id", id},
                                  {"sequence-number", 1},
                                  {"timestamp-ms", timestamp_ms},
                                  {"manifest-list", "file:/lake/t/metadata/snap.avro"},
                                  {"summary", {{"operation", "append"}, {"added-records", "3"}}},
                                  {"schema-id", 0}});
  (*json)["snapshot-log"].push_back({{"timestamp-ms", timestamp_ms}, {"snapshot-id", id}});
}

/// `TextV2` with the current snapshot 7, of the time 1000.
inline JsonText TextWithSnapshot() {
  JsonText json = TextV2();
  AddSnapshot(&json, 7, 1000);
  json["current-snapshot-id"] = 7;
  return json;
}

}  // namespace nunatak::iceberg
