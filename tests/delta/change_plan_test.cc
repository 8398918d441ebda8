#include "nunatak/delta/change_plan.h"

#include <gtest/gtest.h>

#include "delta/log_fixture.h"

namespace nunatak::delta {
namespace {

class ChangePlanTest : public testing::Test {
 protected:
  void SetUp() override {
    log_.Commit(0, {std::string(kProtocol), MetadataJson({FieldJson("id", R"("long")")})});
  }
  VersionChanges Plan(const std::vector<std::string>& actions) const {
    log_.Commit(1, actions);
    const Table table = log_.Open();
    return PlanChanges(table, LoadSnapshot(table, Context()), 1);
  }
  LogFixture log_;
};

TEST_F(ChangePlanTest, AddedAndRemovedFilesChangeTheirRows) {
  const VersionChanges changes = Plan({AddJson("a", R"({"numRecords":3})"), RemoveJson("b")});
  EXPECT_TRUE(changes.written.empty());
  ASSERT_EQ(changes.files.size(), 2U);
  EXPECT_TRUE(changes.files[0].before->data_file->file_path.ends_with("/b"));
  EXPECT_FALSE(changes.files[0].after);
  EXPECT_TRUE(changes.files[1].after->data_file->file_path.ends_with("/a"));
  EXPECT_EQ(changes.files[1].after->data_file->record_count, 3);
  EXPECT_FALSE(changes.files[1].before);
}

TEST_F(ChangePlanTest, AFileWithAnotherDeletionVectorIsOneChange) {
  const std::string vector =
      R"(,"deletionVector":{"storageType":"u","pathOrInlineDv":"ab^-aqEH.-t@S}K{vb[*k^",)"
      R"("offset":1,"sizeInBytes":40,"cardinality":6})";
  const VersionChanges changes = Plan({RemoveJson("a"), AddJson("a", "", "", vector)});
  ASSERT_EQ(changes.files.size(), 1U);
  EXPECT_TRUE(changes.files[0].before->deletes.empty());
  EXPECT_EQ(changes.files[0].after->deletes.size(), 1U);
}

TEST_F(ChangePlanTest, MovedRowsAreNoChanges) {
  const VersionChanges changes =
      Plan({R"({"add":{"path":"a","partitionValues":{},"size":1,"dataChange":false}})",
            R"({"remove":{"path":"b","dataChange":false}})"});
  EXPECT_TRUE(changes.files.empty());
}

TEST_F(ChangePlanTest, WhatTheWriterWroteReplacesTheRest) {
  const VersionChanges changes = Plan(
      {AddJson("a"), RemoveJson("b"),
       R"({"cdc":{"path":"_change_data/c%20d","partitionValues":{},"size":9,"dataChange":false}})"});
  EXPECT_TRUE(changes.files.empty());
  ASSERT_EQ(changes.written.size(), 1U);
  EXPECT_TRUE(changes.written[0].data_file->file_path.ends_with("/_change_data/c d"));
  EXPECT_EQ(changes.written[0].length, 9);
}

TEST_F(ChangePlanTest, ARemovedFileOfAPartitionMustSayWhich) {
  log_.Commit(0,
              {std::string(kProtocol),
               MetadataJson({FieldJson("id", R"("long")"), FieldJson("k", R"("long")")}, "\"k\"")});
  const std::string error = ErrorOf(ErrorCode::kInvalid, [&] { Plan({RemoveJson("b")}); });
  EXPECT_NE(error.find("00000000000000000001.json: line 1: remove: partitionValues"),
            std::string::npos)
      << error;
  EXPECT_EQ(Plan({RemoveJson("b", R"(,"partitionValues":{"k":"7"},"size":4)")})
                .files.at(0)
                .before->data_file->partition[0],
            Value::Integer(7));
}

}  // namespace
}  // namespace nunatak::delta
