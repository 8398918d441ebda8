// Parquet checkpoints: what they say, and what is made of damaged ones.
#include <arrow/type.h>
#include <gtest/gtest.h>

#include "delta/checkpoint_fixture.h"
#include "delta/log_fixture.h"
#include "nunatak/expr/bound_filter.h"

namespace nunatak::delta {
namespace {

using Names = std::vector<std::string>;

constexpr const char* kCheckpoint = "00000000000000000002.checkpoint.parquet";

std::string SchemaText() {
  return Escaped(fmt::format(R"({{"type":"struct","fields":[{},{}]}})", FieldJson("c", R"("long")"),
                             FieldJson("k", R"("string")")));
}

/// The rows that every checkpoint has.
std::string TableRows() {
  return fmt::format(
      R"({{"protocol":{{"minReaderVersion":3,"minWriterVersion":7,)"
      R"("readerFeatures":["deletionVectors","v2Checkpoint"],"writerFeatures":[]}}}},)"
      R"({{"metaData":{{"id":"m","schemaString":"{}","partitionColumns":["k"],)"
      R"("configuration":[["a","b"]]}}}})",
      SchemaText());
}

std::string AddRow(const std::string& path, const std::string& more = "",
                   const std::string& partition = R"(["k","x"])") {
  return fmt::format(R"({{"add":{{"path":"{}","partitionValues":[{}],"size":10{}}}}})", path,
                     partition, more);
}

class CheckpointTest : public testing::Test {
 protected:
  void Write(const std::string& rows, const char* name = kCheckpoint,
             const std::shared_ptr<arrow::DataType>& type = arrow::int64()) const {
    WriteCheckpoint(log_.root() / "_delta_log" / name, CheckpointSchema(type), "[" + rows + "]");
  }
  LogFixture log_;
};

TEST_F(CheckpointTest, HoldsTheTableAndItsFiles) {
  Write(TableRows() + "," + AddRow("a", R"(,"stats":"{\"numRecords\":7}","baseRowId":5)") + "," +
        AddRow("b%20c", "", R"(["k",null])") + R"(,{"remove":{"path":"gone"}})" +
        R"(,{"txn":{"appId":"app","version":3}})" +
        R"(,{"domainMetadata":{"domain":"d","configuration":"{}","removed":false}})");
  const Snapshot snapshot = log_.Load();
  EXPECT_EQ(snapshot.version, 2);
  EXPECT_EQ(snapshot.protocol.reader_features, (Names{"deletionVectors", "v2Checkpoint"}));
  EXPECT_EQ(*snapshot.metadata.FindProperty("a"), "b");
  EXPECT_EQ(snapshot.transactions.at("app").version, 3);
  EXPECT_TRUE(snapshot.domains.contains("d"));
  EXPECT_EQ(log_.Files(), (Names{"a", "b c"}));
  EXPECT_EQ(log_.Files("k = 'x'"), Names{"a"});
  EXPECT_EQ(log_.Files("k is null"), Names{"b c"});
  EXPECT_EQ(log_.Plan().at(0).data_file->record_count, 7);
  EXPECT_EQ(log_.Plan().at(0).data_file->first_row_id, 5);
  EXPECT_EQ(log_.Plan().at(1).data_file->record_count, -1);
}

TEST_F(CheckpointTest, LaterCommitsReplaceWhatItSays) {
  const std::string vector =
      R"(,"deletionVector":{"storageType":"u","pathOrInlineDv":)"
      R"("ab^-aqEH.-t@S}K{vb[*k^","offset":1,"sizeInBytes":40,"cardinality":6})";
  Write(TableRows() + "," + AddRow("a") + "," + AddRow("b") + "," + AddRow("c", vector));
  log_.Commit(3, {RemoveJson("a"), AddJson("b", R"({"numRecords":9})", R"("k":"y")"),
                  RemoveJson("c"), AddJson("d", "", R"("k":"x")")});
  // The file with a deletion vector is another than the one without.
  EXPECT_EQ(log_.Files(), (Names{"c", "b", "d"}));
  EXPECT_EQ(log_.Plan().at(0).deletes.at(0)->file.content_offset, 1);
  EXPECT_EQ(log_.Files("", 2), (Names{"a", "b", "c"}));
  log_.Commit(4, {RemoveJson("c", vector)});
  EXPECT_EQ(log_.Files(), (Names{"b", "d"}));
}

TEST_F(CheckpointTest, StatisticsMayBeColumnsAlone) {
  const std::string parsed =
      R"(,"stats_parsed":{"numRecords":10,"minValues":{"c":1},"maxValues":{"c":5},"nullCount":{"c":0}})";
  Write(TableRows() + "," + AddRow("a", parsed));
  EXPECT_EQ(log_.Plan().at(0).data_file->record_count, 10);
  EXPECT_EQ(log_.Files("c = 5"), Names{"a"});
  EXPECT_EQ(log_.Files("c = 6"), Names{});
  EXPECT_EQ(log_.Files("c is null"), Names{});
}

TEST_F(CheckpointTest, StatisticsMayBeColumnsForSomeFilesAndTextForOthers) {
  Write(TableRows() + "," +
        AddRow("parsed", R"(,"stats_parsed":{"numRecords":1,"maxValues":{"c":5}})") + "," +
        AddRow("text", R"(,"stats":"{\"numRecords\":2,\"maxValues\":{\"c\":6}}")") + "," +
        AddRow("none"));
  EXPECT_EQ(log_.Files("c > 5"), (Names{"text", "none"}));
  EXPECT_EQ(log_.Files("c > 6"), Names{"none"});
}

TEST_F(CheckpointTest, StatisticsOfBeforeATypeWasWidened) {
  const std::string parsed =
      R"(,"stats_parsed":{"numRecords":1,"minValues":{"c":1},"maxValues":{"c":5},"nullCount":{"c":0}})";
  for (const auto& type : {arrow::int8(), arrow::int16(), arrow::int32()}) {
    Write(TableRows() + "," + AddRow("a", parsed), kCheckpoint, type);
    EXPECT_EQ(log_.Files("c = 5"), Names{"a"});
    EXPECT_EQ(log_.Files("c = 6"), Names{});
  }
  // Of another type altogether, they say nothing.
  const std::string text = R"(,"stats_parsed":{"numRecords":1,"maxValues":{"c":"5"}})";
  Write(TableRows() + "," + AddRow("a", text), kCheckpoint, arrow::utf8());
  EXPECT_EQ(log_.Files("c = 6"), Names{"a"});
}

TEST_F(CheckpointTest, WhatAFilterRulesOutIsCountedExactly) {
  // Enough rows for several batches. Every tenth file has a deletion vector, every third no
  // statistics, and commits remove, describe anew and add some.
  constexpr int kFiles = 10000;
  const std::string vector =
      R"(,"deletionVector":{"storageType":"u","pathOrInlineDv":)"
      R"("ab^-aqEH.-t@S}K{vb[*k^","offset":1,"sizeInBytes":40,"cardinality":6})";
  std::string rows = TableRows();
  for (int i = 0; i < kFiles; ++i) {
    const std::string stats = fmt::format(
        R"(,"stats":"{{\"numRecords\":5,\"minValues\":{{\"c\":{}}},\"maxValues\":{{\"c\":{}}}}}")",
        i, i);
    rows +=
        "," + AddRow(fmt::format("f{}", i), (i % 3 == 0 ? "" : stats) + (i % 10 == 0 ? vector : ""),
                     fmt::format(R"(["k","{}"])", i % 7));
  }
  Write(rows);
  log_.Commit(3, {RemoveJson("f1"), RemoveJson("f8000", vector), RemoveJson("f10"),
                  AddJson("f5002", R"({"numRecords":5,"maxValues":{"c":0}})", R"("k":"4")"),
                  AddJson("new", "", R"("k":"4")")});
  const auto is_replaced = [](int i) { return i == 1 || i == 8000 || i == 5002; };
  Names expected;
  int64_t by_partition = 0;
  int64_t by_metrics = 1;  // the new f5002
  for (int i = 0; i < kFiles; ++i) {
    if (is_replaced(i)) continue;
    if (i % 7 != 4) {
      ++by_partition;
    } else if (i % 3 != 0 && i < 5000) {
      ++by_metrics;
    } else {
      expected.push_back(fmt::format("f{}", i));
    }
  }
  expected.push_back("new");
  EXPECT_EQ(log_.Files("k = '4' and c >= 5000"), expected);
  const Table table = log_.Open();
  const auto source = MakeSnapshotSource(table, LoadSnapshot(table, Context()));
  const auto plan = [&](const std::string& where) {
    return TableScan(source, BindFilter(where, source->schema())).PlanFiles(Context());
  };
  const TableScan::Result result = plan("k = '4' and c >= 5000");
  EXPECT_EQ(result.counts.data_files, kFiles - 3 + 2);
  EXPECT_EQ(result.counts.pruned_by_partition, by_partition);
  EXPECT_EQ(result.counts.pruned_by_metrics, by_metrics);
  EXPECT_EQ(result.counts.planned_files, static_cast<int64_t>(expected.size()));
  for (const FileScanTask& task : result.tasks) {
    const std::string& path = task.data_file->file_path;
    const std::string name = path.substr(path.rfind('/') + 1);
    const bool deletes = name != "new" && std::stoi(name.substr(1)) % 10 == 0;
    EXPECT_EQ(task.deletes.size(), deletes ? 1U : 0U) << name;
  }
  // By each alone.
  EXPECT_EQ(plan("k = 'none'").counts.pruned_by_partition, kFiles - 3 + 2);
  EXPECT_EQ(plan("c = -1").counts.pruned_by_metrics + plan("c = -1").counts.planned_files,
            kFiles - 3 + 2);
}

TEST_F(CheckpointTest, AllPartsTogether) {
  const char* first = "00000000000000000002.checkpoint.0000000001.0000000002.parquet";
  const char* second = "00000000000000000002.checkpoint.0000000002.0000000002.parquet";
  Write(AddRow("a"), first);
  Write(TableRows() + "," + AddRow("b"), second);
  EXPECT_EQ(log_.Files(), (Names{"a", "b"}));
  // Without the second, the first counts for nothing.
  log_.Remove(second);
  log_.Commit(3, {AddJson("c")});
  const std::string error = ErrorOf(ErrorCode::kInvalid, [&] { log_.Load(); });
  EXPECT_NE(error.find("version 0 is missing"), std::string::npos) << error;
}

TEST_F(CheckpointTest, SidecarsHoldTheFiles) {
  const std::filesystem::path sidecars = log_.root() / "_delta_log/_sidecars";
  const auto schema = CheckpointSchema(arrow::int64());
  WriteCheckpoint(sidecars / "one.parquet", schema, "[" + AddRow("a") + "]");
  WriteCheckpoint(sidecars / "two words.parquet", schema, "[" + AddRow("b") + "]");
  const std::string names = R"({"sidecar":{"path":"one.parquet","sizeInBytes":%}},)"
                            R"({"sidecar":{"path":"two%20words.parquet","sizeInBytes":0}})";
  std::string with_size = names;
  with_size.replace(with_size.find('%'), 1,
                    std::to_string(std::filesystem::file_size(sidecars / "one.parquet")));
  Write(TableRows() + "," + with_size);
  log_.Commit(3, {RemoveJson("a")});
  EXPECT_EQ(log_.Files("", 2), (Names{"a", "b"}));
  EXPECT_EQ(log_.Files(), Names{"b"});
  std::filesystem::remove(sidecars / "two words.parquet");
  const std::string error = ErrorOf(ErrorCode::kInvalid, [&] { log_.Files(); });
  EXPECT_NE(error.find("two words.parquet"), std::string::npos) << error;
}

TEST_F(CheckpointTest, DamageIsNamedByFileAndColumn) {
  const std::pair<std::string, std::string> cases[] = {
      {R"({"add":{"path":"a","partitionValues":[]}})", "column add.size"},
      {R"({"add":{"path":"a","partitionValues":[],"size":-1}})", "column add.size"},
      {R"({"add":{"path":"a","size":1,"deletionVector":{"storageType":"u"}}})",
       "column add.deletionVector"},
      {R"({"protocol":{"minReaderVersion":1}})", "column protocol.minWriterVersion"},
      {R"({"protocol":{"minReaderVersion":-1,"minWriterVersion":2}})",
       "column protocol.minReaderVersion"},
      {R"({"metaData":{"schemaString":"{}"}})", "column metaData.id"},
      {R"({"txn":{"appId":"a"}})", "column txn.version"},
      {R"({"sidecar":{"path":"a"}})", "column sidecar.sizeInBytes"},
  };
  for (const auto& [row, where] : cases) {
    Write(row + "," + TableRows());
    const std::string error = ErrorOf(ErrorCode::kInvalid, [&] { log_.Files(); });
    EXPECT_NE(error.find(kCheckpoint), std::string::npos) << error;
    EXPECT_NE(error.find(where), std::string::npos) << error;
  }
}

TEST_F(CheckpointTest, EntriesOfMapsAreFoundByTheirPlace) {
  // Writers call them key_value, entries, keys and values, and some say that no value is null.
  for (const bool nullable : {true, false}) {
    const auto map =
        std::make_shared<arrow::MapType>(arrow::field("keys", arrow::utf8(), false),
                                         arrow::field("values", arrow::utf8(), nullable));
    const auto schema = arrow::schema({arrow::field(
        "add",
        arrow::struct_({arrow::field("path", arrow::utf8()), arrow::field("partitionValues", map),
                        arrow::field("size", arrow::int64())}))});
    WriteCheckpoint(log_.root() / "_delta_log" / kCheckpoint, schema,
                    "[" + AddRow("a") + "," + AddRow("b", "", R"(["k","y"])") + "]");
    log_.Commit(3, {ProtocolWith("\"deletionVectors\""),
                    MetadataJson({FieldJson("k", R"("string")")}, "\"k\"")});
    EXPECT_EQ(log_.Files("k = 'y'"), Names{"b"});
  }
}

TEST_F(CheckpointTest, ColumnsOfOtherTypesAreErrors) {
  // The same names, and every leaf of the action is text.
  const auto wrong = arrow::schema(
      {arrow::field("add", arrow::struct_({arrow::field("path", arrow::utf8()),
                                           arrow::field("partitionValues", arrow::utf8()),
                                           arrow::field("size", arrow::utf8())}))});
  WriteCheckpoint(log_.root() / "_delta_log" / kCheckpoint, wrong,
                  R"([{"add":{"path":"a","partitionValues":"x","size":"1"}}])");
  log_.Commit(
      2, {ProtocolWith("\"deletionVectors\""),
          MetadataJson({FieldJson("c", R"("long")"), FieldJson("k", R"("string")")}, "\"k\"")});
  log_.Commit(
      3, {ProtocolWith("\"deletionVectors\""),
          MetadataJson({FieldJson("c", R"("long")"), FieldJson("k", R"("string")")}, "\"k\"")});
  const std::string error = ErrorOf(ErrorCode::kInvalid, [&] { log_.Files(); });
  EXPECT_NE(error.find("column add.partitionValues: expected a map, found string"),
            std::string::npos)
      << error;
}

}  // namespace
}  // namespace nunatak::delta
