#include "nunatak/iceberg/snapshot_choice.h"

#include <gtest/gtest.h>

#include "iceberg/corpus.h"
#include "iceberg/errors.h"
#include "iceberg/metadata_texts.h"

namespace nunatak::iceberg {
namespace {

/// Snapshots A = 1 at 1000, B = 2 at 2000 and C = 3 at 3000 (current). A was written with schema 0,
/// B and C with schema 1, and the current schema 2 came later still.
JsonText ThreeSnapshots() {
  JsonText json = TextV2();
  for (const int id : {1, 2}) {
    json["schemas"].push_back(json["schemas"][0]);
    json["schemas"][id]["schema-id"] = id;
  }
  json["current-schema-id"] = 2;
  for (const int id : {1, 2, 3}) {
    AddSnapshot(&json, id, id * 1000);
    json["snapshots"][id - 1]["schema-id"] = id == 1 ? 0 : 1;
  }
  json["current-snapshot-id"] = 3;
  json["refs"] = JsonText::parse(R"({
    "main": {"snapshot-id": 3, "type": "branch"},
    "audit": {"snapshot-id": 2, "type": "branch"},
    "v1": {"snapshot-id": 1, "type": "tag"}})");
  return json;
}

void SetLog(JsonText* json, const std::vector<std::pair<int64_t, int64_t>>& log) {
  (*json)["snapshot-log"] = JsonText::array();
  for (const auto& [time, id] : log) {
    (*json)["snapshot-log"].push_back({{"timestamp-ms", time}, {"snapshot-id", id}});
  }
}

TEST(SnapshotChoiceTest, ANameIsARefOrAnIdOrATime) {
  JsonText json = ThreeSnapshots();
  json["refs"]["3"] = {{"snapshot-id", 1}, {"type", "tag"}};
  const auto metadata = Parse(json);
  const std::pair<const char*, int64_t> cases[] = {
      {"audit", 2},
      {"v1", 1},
      {"2", 2},
      {"3", 1},    // a tag
      {"77", 77},  // may have expired
      {"1970-01-01T00:00:02", 2},
      {"1970-01-02", 3},
  };
  for (const auto& [name, id] : cases) EXPECT_EQ(NamedSnapshotId(*metadata, name), id) << name;
  for (const char* name : {"nothing", "", "1969-01-01"}) {
    ErrorOf(ErrorCode::kNotFound, [&] { NamedSnapshotId(*metadata, name); });
    ErrorOf(ErrorCode::kNotFound, [&] { ChooseNamed(*metadata, name); });
  }
  EXPECT_EQ(ChooseNamed(*metadata, "v1").snapshot->snapshot_id, 1);
  ErrorOf(ErrorCode::kNotFound, [&] { ChooseNamed(*metadata, "77"); });
}

TEST(SnapshotChoiceTest, WhichSnapshotAndWhichSchema) {
  const auto metadata = Parse(ThreeSnapshots());
  struct Case {
    SnapshotChoice choice;
    int64_t snapshot_id;
    int32_t schema_id;
  };
  const std::vector<Case> cases = {
      {{.snapshot_id = {}, .ref = {}, .as_of_ms = {}}, 3, 2},
      {{.snapshot_id = {}, .ref = "main", .as_of_ms = {}}, 3, 2},
      // Branches are read with the current schema, all else with the snapshot's own.
      {{.snapshot_id = {}, .ref = "audit", .as_of_ms = {}}, 2, 2},
      {{.snapshot_id = {}, .ref = "v1", .as_of_ms = {}}, 1, 0},
      {{.snapshot_id = 1, .ref = {}, .as_of_ms = {}}, 1, 0},
      {{.snapshot_id = 3, .ref = {}, .as_of_ms = {}}, 3, 1},
      {{.snapshot_id = {}, .ref = {}, .as_of_ms = 1000}, 1, 0},
      {{.snapshot_id = {}, .ref = {}, .as_of_ms = 1999}, 1, 0},
      {{.snapshot_id = {}, .ref = {}, .as_of_ms = 99999}, 3, 1},
  };
  for (const Case& c : cases) {
    const ChosenSnapshot chosen = ChooseSnapshot(*metadata, c.choice);
    ASSERT_NE(chosen.snapshot, nullptr);
    EXPECT_EQ(chosen.snapshot->snapshot_id, c.snapshot_id);
    EXPECT_EQ(chosen.schema.schema_id(), c.schema_id);
  }
}

TEST(SnapshotChoiceTest, TheLogIsSearchedByTimeNotByPlace) {
  struct Case {
    std::vector<std::pair<int64_t, int64_t>> log;
    int64_t as_of_ms;
    int64_t snapshot_id;
  };
  const std::vector<Case> cases = {
      {{{2000, 1}, {1000, 2}, {3000, 3}}, 2500, 1},
      // A rollback: the same snapshot twice.
      {{{1, 1}, {2, 2}, {3, 1}}, 4, 1},
      {{{1, 1}, {2, 2}, {3, 1}}, 2, 2},
      // Two commits within a millisecond: the later entry.
      {{{5, 1}, {5, 2}}, 5, 2},
  };
  for (const Case& c : cases) {
    JsonText json = ThreeSnapshots();
    SetLog(&json, c.log);
    const auto metadata = Parse(json);
    EXPECT_EQ(ChooseSnapshot(*metadata, {.snapshot_id = {}, .ref = {}, .as_of_ms = c.as_of_ms})
                  .snapshot->snapshot_id,
              c.snapshot_id);
  }
}

std::string NotFound(const JsonText& json, const SnapshotChoice& choice) {
  const auto metadata = Parse(json);
  return ErrorOf(ErrorCode::kNotFound, [&] { ChooseSnapshot(*metadata, choice); });
}

TEST(SnapshotChoiceTest, WhatDoesNotExistIsNotFoundAndTheErrorListsWhatDoes) {
  JsonText json = ThreeSnapshots();
  std::string message = NotFound(json, {.snapshot_id = 9, .ref = {}, .as_of_ms = {}});
  EXPECT_NE(message.find("no snapshot 9 | the table has snapshots 1, 2, 3"), std::string::npos)
      << message;
  message = NotFound(json, {.snapshot_id = {}, .ref = "Audit", .as_of_ms = {}});
  EXPECT_NE(message.find("no branch or tag 'Audit' | the table has the refs audit, main, v1"),
            std::string::npos)
      << message;
  message = NotFound(json, {.snapshot_id = {}, .ref = {}, .as_of_ms = 999});
  EXPECT_NE(message.find("1970-01-01T00:00:00.999+00:00"), std::string::npos) << message;
  EXPECT_NE(message.find("begins at 1970-01-01T00:00:01+00:00"), std::string::npos) << message;
  SetLog(&json, {{1000, 17}});
  message = NotFound(json, {.snapshot_id = {}, .ref = {}, .as_of_ms = 1000});
  EXPECT_NE(message.find("snapshot 17"), std::string::npos) << message;
  SetLog(&json, {});
  message = NotFound(json, {.snapshot_id = {}, .ref = {}, .as_of_ms = 1000});
  EXPECT_NE(message.find("snapshot-log is empty"), std::string::npos) << message;
}

TEST(SnapshotChoiceTest, AnEmptyTableHasNoSnapshotToRead) {
  const auto metadata = Parse(TextV2());
  EXPECT_EQ(ChooseSnapshot(*metadata, {}).snapshot, nullptr);
  const ChosenSnapshot main =
      ChooseSnapshot(*metadata, {.snapshot_id = {}, .ref = "main", .as_of_ms = {}});
  EXPECT_EQ(main.snapshot, nullptr);
  EXPECT_EQ(main.schema.fields().size(), 2u);
  NotFound(TextV2(), {.snapshot_id = 0, .ref = {}, .as_of_ms = {}});
}

TEST(SnapshotChoiceTest, ASnapshotWithoutSchemaIdIsReadWithTheCurrentSchema) {
  JsonText json = ThreeSnapshots();
  json["snapshots"][0].erase("schema-id");
  json["snapshots"][1]["schema-id"] = 8;
  const auto metadata = Parse(json);
  EXPECT_EQ(
      ChooseSnapshot(*metadata, {.snapshot_id = 1, .ref = {}, .as_of_ms = {}}).schema.schema_id(),
      2);
  ErrorOf(ErrorCode::kInvalid,
          [&] { ChooseSnapshot(*metadata, {.snapshot_id = 2, .ref = {}, .as_of_ms = {}}); });
}

TEST(SnapshotChoiceTest, OnlyOneChoiceAtATime) {
  const auto metadata = Parse(ThreeSnapshots());
  ErrorOf(ErrorCode::kUsage,
          [&] { ChooseSnapshot(*metadata, {.snapshot_id = 1, .ref = "main", .as_of_ms = {}}); });
}

TEST(SnapshotChoiceTest, ParsesTimes) {
  struct Case {
    std::string_view text;
    int64_t ms;
  };
  for (const Case& c : std::vector<Case>{{"1709294400000", 1709294400000},
                                         {"-1", -1},
                                         {"1970-01-02", 86400000},
                                         {"1970-01-01T00:00:01", 1000},
                                         {"1970-01-01 00:00:01.5", 1500},
                                         {"1970-01-01T02:00:00+02:00", 0},
                                         {"1970-01-01T00:00:00Z", 0},
                                         {"1969-12-31T23:59:59.999999", -1}}) {
    EXPECT_EQ(ParseAsOf(c.text), c.ms) << c.text;
  }
  for (const char* text : {"", "the day before", "2024-13-01", "12x", "99999999999999999999"}) {
    ErrorOf(ErrorCode::kUsage, [&] { ParseAsOf(text); });
  }
}

TEST(SnapshotChoiceCorpusTest, RefsOfARealTable) {
  if (CorpusDirectory().empty()) GTEST_SKIP() << "no corpus";
  const nlohmann::json expected = Expectation("refs-branches-tags");
  const std::string text = ReadFileBytes(CorpusDirectory() / "refs-branches-tags" /
                                         std::string(expected.at("metadata_file")));
  const auto metadata = ParseTableMetadata(AsBytes(text));
  ASSERT_GT(expected.at("refs").size(), 1u);
  for (const auto& [name, ref] : expected.at("refs").items()) {
    const ChosenSnapshot chosen =
        ChooseSnapshot(*metadata, {.snapshot_id = {}, .ref = name, .as_of_ms = {}});
    EXPECT_EQ(chosen.snapshot->snapshot_id, ref.at("snapshot-id"));
    const int32_t schema_id =
        ref.at("type") == "branch" ? metadata->current_schema_id : *chosen.snapshot->schema_id;
    EXPECT_EQ(chosen.schema.schema_id(), schema_id) << name;
  }
}

}  // namespace
}  // namespace nunatak::iceberg
