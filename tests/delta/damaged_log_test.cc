// Logs with damaged bytes: an error, or what is left of the table, and never anything else.
#include <arrow/type.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <random>

#include "delta/checkpoint_fixture.h"
#include "delta/log_fixture.h"

namespace nunatak::delta {
namespace {

std::string ReadBytes(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

/// Plans the table after each of some changes to one file of its log.
void PlanDamaged(const LogFixture& log, const std::string& name, int rounds, uint32_t seed) {
  const std::string whole = ReadBytes(log.root() / "_delta_log" / name);
  std::mt19937 random(seed);
  int planned = 0;
  int refused = 0;
  for (int round = 0; round < rounds; ++round) {
    std::string damaged = whole;
    const size_t at = random() % damaged.size();
    if (round % 4 == 0) {
      damaged.resize(at);
    } else {
      damaged[at] = static_cast<char>(random());
    }
    log.Write(name, damaged);
    try {
      log.Plan("c > 3", std::nullopt, {.column_metrics = round % 2 == 0});
      ++planned;
    } catch (const Error& error) {
      // The log or its file, or the data file of a vector; but for a table that is whole and needs
      // what nobody here knows, or lacks the filter's column.
      const std::string& message = error.message();
      const bool names_file = message.find("_delta_log") != std::string::npos ||
                              message.find(", deletionVector: ") != std::string::npos;
      EXPECT_TRUE(names_file || error.code() == ErrorCode::kUnsupported ||
                  error.code() == ErrorCode::kUsage)
          << message;
      ++refused;
    }
  }
  log.Write(name, whole);
  // Both happen: damage is met, and what does not matter is passed over.
  EXPECT_GT(planned, 0) << "seed " << seed;
  EXPECT_GT(refused, 0) << "seed " << seed;
}

const std::string kVector =
    R"(,"deletionVector":{"storageType":"i","pathOrInlineDv":)"
    R"("wi5b=000010000siXQKl0rr91000f55c8Xg0@@D72lkbi5=-{L","sizeInBytes":40,"cardinality":6})";

TEST(DamagedLog, Commits) {
  LogFixture log;
  log.Commit(0,
             {ProtocolWith("\"deletionVectors\""),
              MetadataJson({FieldJson("c", R"("long")"), FieldJson("k", R"("date")")}, "\"k\"")});
  log.Commit(1, {AddJson("a", R"({"numRecords":3,"minValues":{"c":1},"maxValues":{"c":9}})",
                         R"("k":"2026-01-01")", kVector),
                 RemoveJson("b"), R"({"commitInfo":{"timestamp":1}})"});
  PlanDamaged(log, LogFixture::CommitName(1), 600, 1);
  PlanDamaged(log, LogFixture::CommitName(0), 600, 2);
}

TEST(DamagedLog, JsonCheckpointsAndCompactions) {
  const std::string table = fmt::format(
      "{}\n{}\n", ProtocolWith(R"("deletionVectors","v2Checkpoint")"),
      MetadataJson({FieldJson("c", R"("long")"), FieldJson("k", R"("date")")}, "\"k\""));
  const std::string files =
      AddJson("a", R"({"numRecords":3,"minValues":{"c":1},"maxValues":{"c":9}})",
              R"("k":"2026-01-01")", kVector) +
      "\n" + RemoveJson("b") + "\n";
  const std::string checkpoint =
      "00000000000000000002.checkpoint.80a083e8-7026-4e79-81be-64bd76c43a11.json";
  LogFixture checkpointed;
  checkpointed.Write(checkpoint, table + files);
  PlanDamaged(checkpointed, checkpoint, 600, 4);
  const std::string compaction = "00000000000000000001.00000000000000000002.compacted.json";
  LogFixture compacted;
  compacted.Write(LogFixture::CommitName(0), table);
  // Without the first of its commits, which would do instead.
  compacted.Write(LogFixture::CommitName(2), files);
  compacted.Write(compaction, files);
  PlanDamaged(compacted, compaction, 600, 5);
}

TEST(DamagedLog, TheHintIsNotNeeded) {
  LogFixture log;
  log.Commit(0, {ProtocolWith("\"deletionVectors\""), MetadataJson({FieldJson("c", R"("long")")}),
                 AddJson("a")});
  for (const char* hint :
       {"", "{", "{\"version\":9223372036854775807,\"parts\":2147483647}", "\xff"}) {
    log.Write("_last_checkpoint", hint);
    EXPECT_EQ(log.Files(), std::vector<std::string>{"a"}) << hint;
  }
}

TEST(DamagedLog, Sidecars) {
  LogFixture log;
  const auto schema = CheckpointSchema(arrow::int64());
  std::string rows;
  for (int i = 0; i < 40; ++i) {
    rows += fmt::format(R"({}{{"add":{{"path":"file-{}","partitionValues":[["k","{}"]],"size":10)"
                        R"(,"stats":"{{\"numRecords\":3,\"maxValues\":{{\"c\":{}}}}}"{}}}}})",
                        i == 0 ? "[" : ",", i, i % 3, i, i % 5 == 0 ? kVector : "");
  }
  const std::string sidecar = "_sidecars/one.parquet";
  WriteCheckpoint(log.root() / "_delta_log" / sidecar, schema, rows + "]");
  log.Write("00000000000000000002.checkpoint.80a083e8-7026-4e79-81be-64bd76c43a11.json",
            fmt::format(
                "{}\n{}\n{}\n", ProtocolWith(R"("deletionVectors","v2Checkpoint")"),
                MetadataJson({FieldJson("c", R"("long")"), FieldJson("k", R"("string")")}, "\"k\""),
                R"({"sidecar":{"path":"one.parquet","sizeInBytes":0}})"));
  EXPECT_EQ(log.Plan("c > 3").size(), 36U);
  PlanDamaged(log, sidecar, 1000, 6);
}

TEST(DamagedLog, ParquetCheckpoints) {
  LogFixture log;
  const std::string schema =
      Escaped(fmt::format(R"({{"type":"struct","fields":[{},{}]}})", FieldJson("c", R"("long")"),
                          FieldJson("k", R"("string")")));
  std::string rows = fmt::format(
      R"([{{"protocol":{{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":["deletionVectors"]}}}},)"
      R"({{"metaData":{{"id":"m","schemaString":"{}","partitionColumns":["k"],"configuration":[["a","b"]]}}}})",
      schema);
  for (int i = 0; i < 40; ++i) {
    rows += fmt::format(R"(,{{"add":{{"path":"file-{}","partitionValues":[["k","{}"]],"size":10)"
                        R"(,"stats":"{{\"numRecords\":3,\"maxValues\":{{\"c\":{}}}}}"{}}}}})",
                        i, i % 3, i, i % 5 == 0 ? kVector : "");
  }
  const std::string name = "00000000000000000001.checkpoint.parquet";
  WriteCheckpoint(log.root() / "_delta_log" / name, CheckpointSchema(arrow::int64()), rows + "]");
  EXPECT_EQ(log.Plan("c > 3").size(), 36U);
  PlanDamaged(log, name, 1500, 3);
}

}  // namespace
}  // namespace nunatak::delta
