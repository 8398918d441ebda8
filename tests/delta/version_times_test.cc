#include "nunatak/delta/version_times.h"

#include <gtest/gtest.h>

#include <chrono>

#include "delta/log_fixture.h"

namespace nunatak::delta {
namespace {

const std::string kFields = FieldJson("id", R"("long")");

std::string CommitInfoJson(int64_t in_commit_timestamp) {
  return fmt::format(R"({{"commitInfo":{{"inCommitTimestamp":{},"timestamp":1}}}})",
                     in_commit_timestamp);
}

class VersionTimesTest : public testing::Test {
 protected:
  /// Says when a commit file was written last, in milliseconds.
  void SetFileTime(int64_t version, int64_t time_ms) const {
    // The file clock's epoch is its own.
    const auto time = std::chrono::file_clock::from_sys(
        std::chrono::sys_time<std::chrono::milliseconds>(std::chrono::milliseconds(time_ms)));
    std::filesystem::last_write_time(log_.root() / "_delta_log" / LogFixture::CommitName(version),
                                     time);
  }
  std::vector<int64_t> Times() const {
    const Table table = log_.Open();
    const Snapshot latest = LoadSnapshot(table, Context());
    const VersionTimes times(table, latest);
    std::vector<int64_t> all;
    for (const auto& [version, file] : table.log->commits()) all.push_back(times.Of(version));
    return all;
  }
  int64_t AsOf(int64_t time_ms) const {
    const Table table = log_.Open();
    const Snapshot latest = LoadSnapshot(table, Context());
    return VersionTimes(table, latest).VersionAsOf(time_ms);
  }
  LogFixture log_;
};

TEST_F(VersionTimesTest, FileTimesMadeToAscend) {
  log_.Commit(0, {std::string(kProtocol), MetadataJson({kFields})});
  for (const int64_t version : {1, 2, 3}) log_.Commit(version, {});
  SetFileTime(0, 1000);
  SetFileTime(1, 900);
  SetFileTime(2, 900);
  SetFileTime(3, 5000);
  EXPECT_EQ(Times(), (std::vector<int64_t>{1000, 1001, 1002, 5000}));
  const std::pair<int64_t, int64_t> cases[] = {
      {1000, 0}, {1001, 1}, {4999, 2}, {5000, 3}, {9999, 3}};
  for (const auto& [time, version] : cases) EXPECT_EQ(AsOf(time), version) << time;
  const std::string error = ErrorOf(ErrorCode::kNotFound, [&] { AsOf(999); });
  EXPECT_NE(error.find("version 0 is of 1970-01-01T00:00:01"), std::string::npos) << error;
}

TEST_F(VersionTimesTest, InCommitTimestampsFromTheVersionThatEnabledThem) {
  log_.Commit(0, {std::string(kProtocol), MetadataJson({kFields})});
  log_.Commit(1, {CommitInfoJson(2000),
                  MetadataJson({kFields}, "",
                               R"("delta.enableInCommitTimestamps":"true",)"
                               R"("delta.inCommitTimestampEnablementVersion":"1",)"
                               R"("delta.inCommitTimestampEnablementTimestamp":"2000")")});
  log_.Commit(2, {CommitInfoJson(3000)});
  SetFileTime(0, 1000);
  SetFileTime(1, 7000);
  SetFileTime(2, 8000);
  EXPECT_EQ(Times(), (std::vector<int64_t>{1000, 2000, 3000}));
  const std::pair<int64_t, int64_t> cases[] = {{1999, 0}, {2000, 1}, {2999, 1}, {3000, 2}};
  for (const auto& [time, version] : cases) EXPECT_EQ(AsOf(time), version) << time;
}

TEST_F(VersionTimesTest, InCommitTimestampsFromTheBeginning) {
  log_.Commit(0, {CommitInfoJson(2000), std::string(kProtocol),
                  MetadataJson({kFields}, "", R"("delta.enableInCommitTimestamps":"true")")});
  log_.Commit(1, {CommitInfoJson(3000)});
  EXPECT_EQ(Times(), (std::vector<int64_t>{2000, 3000}));
  EXPECT_EQ(AsOf(2500), 0);
  log_.Commit(1, {});
  const std::string error = ErrorOf(ErrorCode::kInvalid, [&] { Times(); });
  EXPECT_NE(error.find("00000000000000000001.json: there is no inCommitTimestamp"),
            std::string::npos)
      << error;
}

TEST_F(VersionTimesTest, NamesAreNumbersOrTimes) {
  log_.Commit(0, {std::string(kProtocol), MetadataJson({kFields})});
  log_.Commit(1, {});
  SetFileTime(0, 1000);
  SetFileTime(1, 86400000);
  const Table table = log_.Open();
  const Snapshot latest = LoadSnapshot(table, Context());
  const VersionTimes times(table, latest);
  EXPECT_EQ(NamedVersion(times, "7"), 7);
  EXPECT_EQ(NamedVersion(times, "1970-01-01T12:00:00"), 0);
  EXPECT_EQ(NamedVersion(times, "1970-01-02"), 1);
  ErrorOf(ErrorCode::kUsage, [&] { NamedVersion(times, "some day"); });
}

}  // namespace
}  // namespace nunatak::delta
