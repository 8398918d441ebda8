#include "nunatak/iceberg/metadata_json.h"

#include <gtest/gtest.h>

#include <limits>

#include "iceberg/errors.h"
#include "iceberg/metadata_texts.h"

namespace nunatak::iceberg {
namespace {

std::string InvalidMessage(const JsonText& json) {
  return ErrorOf(ErrorCode::kInvalid, [&] { Parse(json); });
}

std::string UnsupportedMessage(const JsonText& json) {
  return ErrorOf(ErrorCode::kUnsupported, [&] { Parse(json); });
}

TEST(MetadataJsonTest, EveryFieldOfVersion3) {
  JsonText json = TextV3();
  json["next-row-id"] = 40;
  json["last-sequence-number"] = 2;
  json["properties"] = {{"write.format.default", "parquet"}};
  json["current-snapshot-id"] = 12;
  json["snapshots"] = JsonText::parse(R"([
    {"snapshot-id": 11, "sequence-number": 1, "timestamp-ms": 1000, "manifest-list": "file:/l1",
     "summary": {"operation": "append", "added-records": "10"}, "schema-id": 0,
     "first-row-id": 0, "added-rows": 10},
    {"snapshot-id": 12, "parent-snapshot-id": 11, "sequence-number": 2, "timestamp-ms": 2000,
     "manifest-list": "file:/l2", "summary": {"operation": "delete"}, "schema-id": 0,
     "first-row-id": 10, "added-rows": 30}])");
  json["snapshot-log"] = JsonText::parse(
      R"([{"timestamp-ms": 1000, "snapshot-id": 11}, {"timestamp-ms": 2000, "snapshot-id": 12}])");
  json["metadata-log"] = JsonText::parse(R"([{"timestamp-ms": 900, "metadata-file": "file:/m0"}])");
  json["refs"] = JsonText::parse(R"({
    "main": {"snapshot-id": 12, "type": "branch"},
    "audit": {"snapshot-id": 11, "type": "branch", "min-snapshots-to-keep": 3,
              "max-snapshot-age-ms": 4000000000, "max-ref-age-ms": 5000000000},
    "eoy": {"snapshot-id": 11, "type": "tag", "max-ref-age-ms": 6000000000}})");
  json["statistics"] = JsonText::parse(R"([
    {"snapshot-id": 12, "statistics-path": "file:/s.stats", "file-size-in-bytes": 500,
     "file-footer-size-in-bytes": 120, "key-metadata": "a2V5", "blob-metadata": [
       {"type": "apache-datasketches-theta-v1", "snapshot-id": 12, "sequence-number": 2,
        "fields": [1, 2], "properties": {"ndv": "8"}}]}])");
  json["partition-statistics"] = JsonText::parse(
      R"([{"snapshot-id": 12, "statistics-path": "file:/p.parquet", "file-size-in-bytes": 77}])");

  const auto metadata = Parse(json);
  EXPECT_EQ(metadata->format_version, 3);
  EXPECT_EQ(metadata->table_uuid, "9c12d441-03fe-4693-9a96-a0705ddf69c1");
  EXPECT_EQ(metadata->location, "file:/lake/t");
  EXPECT_EQ(metadata->last_sequence_number, 2);
  EXPECT_EQ(metadata->last_updated_ms, 5000);
  EXPECT_EQ(metadata->last_column_id, 2);
  EXPECT_EQ(metadata->last_partition_id, 999);
  EXPECT_EQ(metadata->next_row_id, 40);
  EXPECT_EQ(metadata->current_schema().FindField(2)->name, "ts");
  EXPECT_TRUE(metadata->default_spec().fields.empty());
  EXPECT_TRUE(metadata->default_sort_order().fields.empty());
  EXPECT_EQ(metadata->FindProperty("write.format.default"), "parquet");
  EXPECT_EQ(metadata->FindProperty("other"), std::nullopt);

  ASSERT_EQ(metadata->snapshots.size(), 2u);
  const Snapshot& snapshot = *metadata->current_snapshot();
  EXPECT_EQ(snapshot.snapshot_id, 12);
  EXPECT_EQ(snapshot.parent_snapshot_id, 11);
  EXPECT_EQ(snapshot.sequence_number, 2);
  EXPECT_EQ(snapshot.timestamp_ms, 2000);
  EXPECT_EQ(snapshot.manifest_list, "file:/l2");
  EXPECT_EQ(snapshot.operation, "delete");
  EXPECT_EQ(snapshot.schema_id, 0);
  EXPECT_EQ(snapshot.first_row_id, 10);
  EXPECT_EQ(snapshot.added_rows, 30);
  EXPECT_EQ(metadata->FindSnapshot(11)->summary, (StringMap{{"added-records", "10"}}));
  EXPECT_EQ(metadata->FindSnapshot(13), nullptr);

  EXPECT_EQ(metadata->snapshot_log[1], (SnapshotLogEntry{2000, 12}));
  EXPECT_EQ(metadata->metadata_log[0], (MetadataLogEntry{900, "file:/m0"}));
  EXPECT_EQ(*metadata->FindRef("audit"),
            (SnapshotRef{11, SnapshotRef::Type::kBranch, 3, 4000000000, 5000000000}));
  EXPECT_EQ(*metadata->FindRef("eoy"),
            (SnapshotRef{11, SnapshotRef::Type::kTag, std::nullopt, std::nullopt, 6000000000}));
  const StatisticsBlob blob{"apache-datasketches-theta-v1", 12, 2, {1, 2}, {{"ndv", "8"}}};
  EXPECT_EQ(metadata->statistics[0],
            (StatisticsFile{12, "file:/s.stats", 500, 120, "a2V5", {blob}}));
  EXPECT_EQ(metadata->partition_statistics[0],
            (PartitionStatisticsFile{12, "file:/p.parquet", 77}));
}

TEST(MetadataJsonTest, Version1HasOneSchemaAndOneSpec) {
  JsonText json = TextV1();
  json["partition-spec"] = JsonText::parse(
      R"([{"name": "day", "source-id": 2, "transform": "day"},
          {"name": "id", "source-id": 1, "transform": "identity"}])");
  const auto metadata = Parse(json);
  EXPECT_EQ(metadata->table_uuid, std::nullopt);
  EXPECT_EQ(metadata->current_schema().schema_id(), 0);
  EXPECT_EQ(metadata->current_schema().fields().size(), 2u);
  // Fields without ids are numbered from 1000.
  ASSERT_EQ(metadata->default_spec().fields.size(), 2u);
  EXPECT_EQ(metadata->default_spec().fields[0].field_id, 1000);
  EXPECT_EQ(metadata->default_spec().fields[1].field_id, 1001);
  EXPECT_EQ(metadata->last_partition_id, 1001);
  EXPECT_TRUE(metadata->default_sort_order().fields.empty());
  EXPECT_EQ(metadata->last_sequence_number, 0);
}

TEST(MetadataJsonTest, Version1WithoutPartitionFieldsStartsBefore1000) {
  EXPECT_EQ(Parse(TextV1())->last_partition_id, 999);
}

TEST(MetadataJsonTest, Version1PrefersListsToTheSingleSchema) {
  JsonText json = TextV1();
  json["schemas"] = TextV2()["schemas"];
  json["schemas"][0]["schema-id"] = 4;
  json["current-schema-id"] = 4;
  EXPECT_EQ(Parse(json)->current_schema().schema_id(), 4);
}

TEST(MetadataJsonTest, SnapshotsOfVersion1ListManifestsInline) {
  JsonText json = TextWithSnapshot();
  JsonText& snapshot = json["snapshots"][0];
  snapshot.erase("manifest-list");
  snapshot.erase("sequence-number");
  snapshot["manifests"] = {"file:/m1.avro", "file:/m2.avro"};
  const auto metadata = Parse(json);
  EXPECT_EQ(metadata->current_snapshot()->manifest_list, std::nullopt);
  EXPECT_EQ(metadata->current_snapshot()->manifests,
            (std::vector<std::string>{"file:/m1.avro", "file:/m2.avro"}));
  EXPECT_EQ(metadata->current_snapshot()->sequence_number, 0);
}

TEST(MetadataJsonTest, SequenceNumberOfSnapshotsBeforeAnUpgradeIs0) {
  JsonText json = TextWithSnapshot();
  AddSnapshot(&json, 8, 2000);
  json["snapshots"][0].erase("sequence-number");
  const auto metadata = Parse(json);
  EXPECT_EQ(metadata->FindSnapshot(7)->sequence_number, 0);
  EXPECT_EQ(metadata->FindSnapshot(8)->sequence_number, 1);
}

TEST(MetadataJsonTest, NoCurrentSnapshotHasThreeSpellings) {
  JsonText absent = TextV3();
  JsonText null = TextV3();
  null["current-snapshot-id"] = nullptr;
  JsonText minus_one = TextV3();
  minus_one["current-snapshot-id"] = -1;
  for (const JsonText& json : {absent, null, minus_one}) {
    const auto metadata = Parse(json);
    EXPECT_EQ(metadata->current_snapshot_id, std::nullopt);
    EXPECT_EQ(metadata->current_snapshot(), nullptr);
    EXPECT_TRUE(metadata->refs.empty());
  }
}

TEST(MetadataJsonTest, IdsHave64Bits) {
  constexpr int64_t kId = int64_t{std::numeric_limits<int32_t>::max()} + 42;
  JsonText json = TextV2();
  AddSnapshot(&json, kId, 1000);
  json["current-snapshot-id"] = kId;
  json["refs"] = {{"main", {{"snapshot-id", kId}, {"type", "branch"}}}};
  const auto metadata = Parse(json);
  EXPECT_EQ(metadata->FindRef("main")->snapshot_id, 2147483689);
  EXPECT_EQ(metadata->current_snapshot()->snapshot_id, 2147483689);
}

TEST(MetadataJsonTest, ZeroIsAnId) {
  JsonText json = TextV2();
  AddSnapshot(&json, 0, 0);
  json["current-snapshot-id"] = 0;
  const auto metadata = Parse(json);
  ASSERT_NE(metadata->current_snapshot(), nullptr);
  EXPECT_EQ(metadata->current_snapshot()->snapshot_id, 0);
  EXPECT_EQ(metadata->FindRef("main")->snapshot_id, 0);
}

TEST(MetadataJsonTest, ATableMayHaveNoColumns) {
  JsonText json = TextV2();
  json["last-column-id"] = 0;
  json["schemas"][0]["fields"] = JsonText::array();
  const auto metadata = Parse(json);
  EXPECT_EQ(metadata->last_column_id, 0);
  EXPECT_TRUE(metadata->current_schema().fields().empty());
}

TEST(MetadataJsonTest, OptionalListsAndMapsMayBeNull) {
  JsonText json = TextV2();
  AddSnapshot(&json, 7, 1000);
  json["current-snapshot-id"] = 7;
  json["snapshots"][0]["summary"] = nullptr;
  json["snapshots"][0]["parent-snapshot-id"] = nullptr;
  json["snapshots"][0]["schema-id"] = nullptr;
  for (const char* field : {"properties", "refs", "statistics", "partition-statistics",
                            "snapshot-log", "metadata-log", "encryption-keys"}) {
    json[field] = nullptr;
  }
  const auto metadata = Parse(json);
  EXPECT_EQ(metadata->current_snapshot()->operation, std::nullopt);
  EXPECT_EQ(metadata->current_snapshot()->schema_id, std::nullopt);
  EXPECT_TRUE(metadata->current_snapshot()->summary.empty());
  EXPECT_TRUE(metadata->properties.empty());
  EXPECT_TRUE(metadata->snapshot_log.empty());
}

TEST(MetadataJsonTest, SummariesMayLackTheOperationAndHoldNumbers) {
  JsonText json = TextWithSnapshot();
  json["snapshots"][0]["summary"] = {{"added-records", 3}, {"wap.id", nullptr}, {"x", true}};
  const auto metadata = Parse(json);
  EXPECT_EQ(metadata->current_snapshot()->operation, std::nullopt);
  EXPECT_EQ(metadata->current_snapshot()->summary,
            (StringMap{{"added-records", "3"}, {"x", "true"}}));
}

TEST(MetadataJsonTest, UnknownFieldsAreIgnored) {
  JsonText json = TextWithSnapshot();
  json["some-later-field"] = {{"a", {1, 2}}};
  json["snapshots"][0]["another"] = 1;
  EXPECT_EQ(Parse(json)->snapshots.size(), 1u);
}

TEST(MetadataJsonTest, RequiredFieldsAreNamedWhenTheyAreMissing) {
  struct Case {
    JsonText json;
    std::vector<std::string> required;
  };
  const std::vector<Case> cases = {
      {TextV1(),
       {"format-version", "location", "last-updated-ms", "last-column-id", "schema",
        "partition-spec"}},
      {TextV2(),
       {"format-version", "table-uuid", "location", "last-sequence-number", "last-updated-ms",
        "last-column-id", "schemas", "current-schema-id", "partition-specs", "default-spec-id",
        "last-partition-id", "sort-orders", "default-sort-order-id"}},
      {TextV3(), {"next-row-id", "table-uuid", "last-sequence-number"}},
  };
  for (const Case& c : cases) {
    for (const std::string& field : c.required) {
      JsonText without = c.json;
      without.erase(field);
      EXPECT_NE(InvalidMessage(without).find("'" + field + "'"), std::string::npos) << field;
      JsonText null = c.json;
      null[field] = nullptr;
      EXPECT_NE(InvalidMessage(null).find("'" + field + "'"), std::string::npos) << field;
    }
  }
}

TEST(MetadataJsonTest, ErrorsHaveThePathInsideTheJson) {
  struct Case {
    std::string at;  ///< A JSON pointer.
    JsonText value;
    std::string message;
  };
  const std::vector<Case> cases = {
      {"/snapshots/0/snapshot-id", nullptr, "snapshots[0]: required field 'snapshot-id'"},
      {"/snapshots/0/timestamp-ms", nullptr, "snapshots[0]: required field 'timestamp-ms'"},
      {"/snapshots/0", nullptr, "snapshots[0]: expected an object, got null"},
      {"/snapshots/0/snapshot-id", 18446744073709551615u, "snapshots[0]: snapshot-id: expected"},
      {"/snapshots/0/snapshot-id", 7.0, "snapshots[0]: snapshot-id: expected"},
      {"/snapshots/0/summary", "append", "snapshots[0]: summary: expected an object"},
      {"/snapshots/0/summary/operation", {1}, "snapshots[0]: summary: operation: expected"},
      {"/snapshots/0/manifest-list", nullptr, "snapshots[0]: neither 'manifest-list' nor"},
      {"/current-schema-id", 5, "current-schema-id: 5 is not in 'schemas'"},
      {"/current-schema-id", 4294967296, "current-schema-id: expected a 32-bit integer"},
      {"/default-spec-id", 5, "default-spec-id: 5 is not in 'partition-specs'"},
      {"/default-sort-order-id", 5, "default-sort-order-id: 5 is not in 'sort-orders'"},
      {"/current-snapshot-id", 8, "current-snapshot-id: 8 is not in 'snapshots'"},
      {"/location", "", "location: is empty"},
      {"/format-version", 0, "format-version: 0 does not exist"},
      {"/schemas/0/fields/0/type", nullptr, "schemas[0]: fields[0]"},
      {"/partition-specs/0/fields", 1, "partition-specs[0]: fields: expected an array"},
  };
  for (const Case& c : cases) {
    JsonText json = TextWithSnapshot();
    json[JsonText::json_pointer(c.at)] = c.value;
    EXPECT_NE(InvalidMessage(json).find(c.message), std::string::npos)
        << c.at << ": " << InvalidMessage(json);
  }
}

TEST(MetadataJsonTest, IdsAreUnique) {
  for (const char* list : {"schemas", "partition-specs", "sort-orders", "snapshots"}) {
    JsonText json = TextWithSnapshot();
    const JsonText first = json[list][0];
    json[list].push_back(first);
    EXPECT_NE(InvalidMessage(json).find(std::string(list) + ": id"), std::string::npos) << list;
  }
}

TEST(MetadataJsonTest, MainIsTheBranchOfTheCurrentSnapshot) {
  JsonText json = TextWithSnapshot();
  AddSnapshot(&json, 8, 2000);
  EXPECT_EQ(Parse(json)->FindRef("main")->snapshot_id, 7);  // refs are absent
  json["refs"] = {{"audit", {{"snapshot-id", 8}, {"type", "branch"}}}};
  EXPECT_EQ(Parse(json)->FindRef("main")->snapshot_id, 7);  // refs lack it
  EXPECT_TRUE(Parse(json)->FindRef("main")->is_branch());

  json["refs"] = {{"main", {{"snapshot-id", 8}, {"type", "branch"}}}};
  EXPECT_NE(InvalidMessage(json).find("'main' points to snapshot 8"), std::string::npos);
  json["refs"] = {{"main", {{"snapshot-id", 7}, {"type", "tag"}}}};
  EXPECT_NE(InvalidMessage(json).find("'main' is a tag"), std::string::npos);
  json["refs"] = {{"main", {{"snapshot-id", 7}, {"type", "branch"}}}};
  json["current-snapshot-id"] = nullptr;
  EXPECT_NE(InvalidMessage(json).find("no current snapshot"), std::string::npos);
}

TEST(MetadataJsonTest, RefsPointToSnapshotsAndHaveAKnownType) {
  JsonText json = TextWithSnapshot();
  json["refs"] = {{"t", {{"snapshot-id", 9}, {"type", "tag"}}}};
  EXPECT_NE(InvalidMessage(json).find("refs: t: snapshot-id: 9"), std::string::npos);
  json["refs"] = {{"t", {{"snapshot-id", 7}, {"type", "bookmark"}}}};
  EXPECT_NE(InvalidMessage(json).find("'bookmark'"), std::string::npos);
}

TEST(MetadataJsonTest, OnlyTheDefaultSortOrderMustFitTheSchema) {
  JsonText json = TextV2();
  json["sort-orders"] = JsonText::parse(R"([
    {"order-id": 1, "fields": [{"transform": "identity", "source-id": 9, "direction": "asc",
                                "null-order": "nulls-first"}]},
    {"order-id": 2, "fields": [{"transform": "identity", "source-id": 1, "direction": "desc",
                                "null-order": "nulls-last"}]}])");
  json["default-sort-order-id"] = 2;
  const auto metadata = Parse(json);
  EXPECT_EQ(metadata->default_sort_order().fields[0].source_ids, std::vector<int32_t>{1});
  EXPECT_EQ(metadata->FindSortOrder(1)->fields[0].source_ids, std::vector<int32_t>{9});
  json["default-sort-order-id"] = 1;
  EXPECT_NE(InvalidMessage(json).find("sorts by field 9"), std::string::npos);
}

TEST(MetadataJsonTest, TransformParametersArePositive) {
  for (const char* transform : {"bucket[0]", "bucket[-1]", "truncate[0]"}) {
    JsonText json = TextV2();
    json["partition-specs"][0]["fields"] = {
        {{"name", "p"}, {"source-id", 1}, {"field-id", 1000}, {"transform", transform}}};
    const std::string message = InvalidMessage(json);
    EXPECT_TRUE(message.starts_with("partition-specs[0]: fields")) << message;
    EXPECT_NE(message.find(transform), std::string::npos) << message;
  }
}

TEST(MetadataJsonTest, DefaultsAboveTheRangeAreErrors) {
  for (const uint64_t value : {uint64_t{9223372036854775808u}, uint64_t{18446744073709551615u}}) {
    JsonText json = TextV3();
    json["schemas"][0]["fields"][0]["type"] = "int";
    json["schemas"][0]["fields"][0]["initial-default"] = value;
    EXPECT_NE(InvalidMessage(json).find("initial-default"), std::string::npos) << value;
  }
}

TEST(MetadataJsonTest, AFieldMayBeCalledType) {
  JsonText json = TextV2();
  json["schemas"][0]["fields"][1] = JsonText::parse(
      R"({"id": 2, "name": "type", "required": false, "type": {"fields": [
           {"id": 3, "name": "type", "required": false, "type": "string"}], "type": "struct"}})");
  const Schema schema = Parse(json)->current_schema();
  ASSERT_NE(schema.FindField(3), nullptr);
  EXPECT_EQ(schema.NameOf(3), "type.type");
  json["schemas"][0]["fields"][1]["type"].erase("type");
  EXPECT_NE(InvalidMessage(json).find("schemas[0]: fields[1]"), std::string::npos);
}

TEST(MetadataJsonTest, LaterVersionsAndEncryptionAreRefusedByName) {
  JsonText json = TextV3();
  json["format-version"] = 4;
  EXPECT_NE(UnsupportedMessage(json).find("format-version 4"), std::string::npos);

  json = TextV3();
  json["encryption-keys"] = JsonText::array();
  EXPECT_EQ(Parse(json)->format_version, 3);  // no key: nothing is encrypted
  json["encryption-keys"].push_back({{"key-id", "k"}, {"encrypted-key-metadata", "aA=="}});
  EXPECT_NE(UnsupportedMessage(json).find("encryption-keys"), std::string::npos);

  json = TextWithSnapshot();
  json["snapshots"][0]["key-id"] = "k1";
  EXPECT_NE(UnsupportedMessage(json).find("snapshots[0]: the snapshot is encrypted (key-id 'k1')"),
            std::string::npos);
}

TEST(MetadataJsonTest, WhatIsNotJsonIsInvalid) {
  ErrorOf(ErrorCode::kInvalid, [] { ParseTableMetadata(ByteSpan()); });
  for (const std::string_view text :
       {"", "{", "null", "[]", "{\"format-version\": 2", "\x1f\x8b"}) {
    ErrorOf(ErrorCode::kInvalid, [&] { ParseTableMetadata(AsBytes(text)); });
  }
}

}  // namespace
}  // namespace nunatak::iceberg
