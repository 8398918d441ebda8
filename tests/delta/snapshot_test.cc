#include "nunatak/delta/snapshot.h"

#include <gtest/gtest.h>

#include "delta/log_fixture.h"

namespace nunatak::delta {
namespace {

using Names = std::vector<std::string>;

const std::string kMetadata = MetadataJson({FieldJson("id", R"("long")")});

/// A table with one column and these actions after its first commit.
class SnapshotTest : public testing::Test {
 protected:
  void SetUp() override { log_.Commit(0, {std::string(kProtocol), kMetadata}); }
  LogFixture log_;
};

TEST_F(SnapshotTest, FilesAreThoseThatWereAddedAndNotRemoved) {
  log_.Commit(1, {AddJson("a"), AddJson("b")});
  log_.Commit(2, {RemoveJson("a"), AddJson("c")});
  log_.Commit(3, {AddJson("a")});
  EXPECT_EQ(log_.Files(), (Names{"b", "c", "a"}));
  EXPECT_EQ(log_.Files("", 2), (Names{"b", "c"}));
  EXPECT_EQ(log_.Files("", 1), (Names{"a", "b"}));
  EXPECT_EQ(log_.Files("", 0), Names{});
  EXPECT_EQ(log_.Load().version, 3);
}

TEST_F(SnapshotTest, AFileThatIsAddedAgainIsDescribedAnew) {
  log_.Commit(1, {AddJson("a", R"({"numRecords":1})")});
  log_.Commit(2, {AddJson("a", R"({"numRecords":2})")});
  const auto tasks = log_.Plan();
  ASSERT_EQ(tasks.size(), 1U);
  EXPECT_EQ(tasks[0].data_file->record_count, 2);
}

TEST_F(SnapshotTest, FilesAreTheSameByPathAndDeletionVector) {
  const auto vector = [](int offset) {
    return fmt::format(
        R"(,"deletionVector":{{"storageType":"u","pathOrInlineDv":)"
        R"("ab^-aqEH.-t@S}}K{{vb[*k^","offset":{},"sizeInBytes":40,"cardinality":6}})",
        offset);
  };
  log_.Commit(1, {AddJson("a")});
  log_.Commit(2, {AddJson("a", "", "", vector(1)), RemoveJson("a")});
  log_.Commit(3, {RemoveJson("a", vector(1)), AddJson("a", "", "", vector(60))});
  const auto tasks = log_.Plan();
  ASSERT_EQ(tasks.size(), 1U);
  ASSERT_EQ(tasks[0].deletes.size(), 1U);
  EXPECT_EQ(tasks[0].deletes[0]->file.content_offset, 60);
  EXPECT_EQ(log_.Plan("", 2).at(0).deletes.at(0)->file.content_offset, 1);
  EXPECT_TRUE(log_.Plan("", 1).at(0).deletes.empty());
}

TEST_F(SnapshotTest, ThePathOfAnActionIsDecodedOnce) {
  log_.Commit(1, {AddJson("k=a%2520b/x%20y.parquet"), AddJson("100%.parquet")});
  log_.Commit(2, {AddJson("gone file")});
  log_.Commit(3, {RemoveJson("gone%20file")});
  EXPECT_EQ(log_.Files(), (Names{"k=a%20b/x y.parquet", "100%.parquet"}));
}

TEST_F(SnapshotTest, TheNewestProtocolAndMetadataHold) {
  log_.Commit(1,
              {ProtocolWith("\"timestampNtz\""),
               MetadataJson({FieldJson("id", R"("long")"), FieldJson("t", R"("timestamp_ntz")")})});
  EXPECT_EQ(log_.Load().schema().fields().size(), 2U);
  EXPECT_EQ(log_.Load().protocol.min_reader_version, 3);
  EXPECT_EQ(log_.Load(0).schema().fields().size(), 1U);
}

TEST_F(SnapshotTest, TransactionsAndDomains) {
  const auto txn = [](int version) {
    return fmt::format(R"({{"txn":{{"appId":"app","version":{}}}}})", version);
  };
  const auto domain = [](const char* name, bool removed) {
    return fmt::format(
        R"({{"domainMetadata":{{"domain":"{}","configuration":"{{}}","removed":{}}}}})", name,
        removed);
  };
  log_.Commit(1, {txn(4), domain("kept", false), domain("gone", false)});
  log_.Commit(2, {txn(5), domain("gone", true)});
  const Snapshot snapshot = log_.Load();
  EXPECT_EQ(snapshot.transactions.at("app").version, 5);
  EXPECT_EQ(snapshot.domains.size(), 1U);
  EXPECT_TRUE(snapshot.domains.contains("kept"));
}

TEST_F(SnapshotTest, CompactionsReplaceTheCommitsThatTheyCover) {
  log_.Commit(1, {AddJson("a")});
  log_.Commit(2, {AddJson("b"), RemoveJson("a")});
  log_.Commit(3, {AddJson("c")});
  log_.Write("00000000000000000001.00000000000000000002.compacted.json",
             AddJson("b from the compaction") + "\n" + RemoveJson("a") + "\n");
  EXPECT_EQ(log_.Files(), (Names{"b from the compaction", "c"}));
  EXPECT_EQ(log_.Files("", 1), Names{"a"});
}

TEST_F(SnapshotTest, ACompactionThatIsNotReconciledIsPassedOver) {
  log_.Commit(1, {AddJson("a")});
  log_.Commit(2, {AddJson("b"), RemoveJson("a")});
  // The actions of its commits one after another, which may be meant in either order.
  const char* compaction = "00000000000000000001.00000000000000000002.compacted.json";
  log_.Write(compaction, AddJson("b") + "\n" + RemoveJson("a") + "\n" + AddJson("a") + "\n");
  EXPECT_EQ(log_.Files(), Names{"b"});
  log_.Write(compaction, AddJson("a") + "\n" + AddJson("b") + "\n" + RemoveJson("a") + "\n");
  EXPECT_EQ(log_.Files(), Names{"b"});
  // Unless there is no other way.
  log_.Remove(LogFixture::CommitName(1));
  const std::string error = ErrorOf(ErrorCode::kInvalid, [&] { log_.Load(); });
  EXPECT_NE(error.find(std::string(compaction) + ": line 1"), std::string::npos) << error;
  EXPECT_NE(error.find("speaks of a more than once"), std::string::npos) << error;
}

TEST_F(SnapshotTest, JsonCheckpointsHoldWhatTheCommitsBeforeThemSaid) {
  log_.Commit(3, {RemoveJson("b"), AddJson("c")});
  log_.Write("00000000000000000002.checkpoint.80a083e8-7026-4e79-81be-64bd76c43a11.json",
             fmt::format("{}\n{}\n{}\n{}\n{}\n", R"({"checkpointMetadata":{"version":2}})",
                         ProtocolWith("\"v2Checkpoint\""), kMetadata, AddJson("a"), AddJson("b")));
  log_.Remove(LogFixture::CommitName(0));
  EXPECT_EQ(log_.Files(), (Names{"a", "c"}));
  EXPECT_EQ(log_.Files("", 2), (Names{"a", "b"}));
}

TEST_F(SnapshotTest, ADamagedCheckpointIsPassedOver) {
  log_.Commit(1, {AddJson("a")});
  log_.Write("00000000000000000001.checkpoint.parquet", "PAR1 no more PAR1");
  EXPECT_EQ(log_.Files(), Names{"a"});
  // Unless there is no other way.
  log_.Remove(LogFixture::CommitName(0));
  const std::string error = ErrorOf(ErrorCode::kInvalid, [&] { log_.Load(); });
  EXPECT_NE(error.find("00000000000000000001.checkpoint.parquet"), std::string::npos) << error;
}

TEST_F(SnapshotTest, ACommitMayBeEmptyAndLinesMayBeBlank) {
  log_.Write(LogFixture::CommitName(1), "");
  log_.Write(LogFixture::CommitName(2), "\n" + AddJson("a") + "\r\n\n" + AddJson("b"));
  EXPECT_EQ(log_.Files(), (Names{"a", "b"}));
}

TEST_F(SnapshotTest, UnknownActionsAndFieldsAreIgnored) {
  log_.Commit(1, {R"({"futureAction":{"x":[1,2]}})",
                  AddJson("a", "", "", R"(,"clusteringProvider":"liquid","future":{"a":1})")});
  EXPECT_EQ(log_.Files(), Names{"a"});
}

TEST_F(SnapshotTest, DamageIsNamedByFileAndLine) {
  const std::pair<std::string, std::string> cases[] = {
      {R"({"add":{"path":"a")", "line 2"},
      {R"({"add":[]})", "line 2: add"},
      {R"({"add":{"path":7,"partitionValues":{},"size":1}})", "line 2: add: path"},
      {R"({"add":{"path":"a","size":1}})", "line 2: add: partitionValues"},
      {R"({"add":{"path":"a","partitionValues":{},"size":-1}})", "line 2: add: size"},
      {R"({"add":{"path":"a","partitionValues":{},"size":1e99}})", "line 2: add: size"},
      {R"({"add":{"path":"a","partitionValues":{},"size":1,"deletionVector":{}}})",
       "line 2: add: deletionVector: "},
      {R"({"protocol":{"minReaderVersion":"1"}})", "line 2: protocol: minReaderVersion"},
      {R"({"metaData":{"name":"m"}})", "line 2: metaData: "},
      {R"([])", "line 2"},
      {"\x01", "line 2"},
  };
  for (const auto& [line, where] : cases) {
    log_.Commit(1, {AddJson("ok"), line});
    const std::string error = ErrorOf(ErrorCode::kInvalid, [&] { log_.Load(); });
    EXPECT_NE(error.find("00000000000000000001.json: " + where), std::string::npos) << error;
  }
}

TEST_F(SnapshotTest, ALogWithoutProtocolOrMetadataIsNoTable) {
  log_.Commit(0, {std::string(kProtocol)});
  EXPECT_NE(ErrorOf(ErrorCode::kInvalid, [&] { log_.Load(); }).find("no metaData action"),
            std::string::npos);
  log_.Commit(0, {kMetadata});
  EXPECT_NE(ErrorOf(ErrorCode::kInvalid, [&] { log_.Load(); }).find("no protocol action"),
            std::string::npos);
}

TEST_F(SnapshotTest, ATableMayHaveNoSchemaYet) {
  log_.Commit(1, {R"({"metaData":{"id":"m","partitionColumns":[],"configuration":{}}})"});
  EXPECT_TRUE(log_.Load().schema().fields().empty());
}

TEST_F(SnapshotTest, OtherDataFormatsAreRefused) {
  std::string metadata = kMetadata;
  metadata.replace(metadata.find("parquet"), 7, "orc");
  log_.Commit(1, {metadata});
  ErrorOf(ErrorCode::kUnsupported, [&] { log_.Load(); });
}

TEST_F(SnapshotTest, RowTrackingGivesFilesTheirFirstRowIds) {
  log_.Commit(1, {AddJson("a", "", "", R"(,"baseRowId":40,"defaultRowCommitVersion":7)")});
  const FileScanTask task = log_.Plan().at(0);
  EXPECT_EQ(task.data_file->first_row_id, 40);
  EXPECT_EQ(task.data_sequence_number, 7);
}

TEST(OpenTable, SaysWhereThereIsNone) {
  const std::filesystem::path empty = std::filesystem::temp_directory_path() / "nunatak-no-delta";
  std::filesystem::create_directories(empty / "_delta_log");
  const auto open = [&](const std::filesystem::path& path) {
    return ErrorOf(ErrorCode::kNotFound, [&] { OpenTable(MakeLocalFileIO(), path.string()); });
  };
  EXPECT_NE(open(empty).find("holds no version"), std::string::npos);
  EXPECT_NE(open(empty / "_delta_log").find("no _delta_log"), std::string::npos);
  std::filesystem::remove_all(empty);
}

}  // namespace
}  // namespace nunatak::delta
