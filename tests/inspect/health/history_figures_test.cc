#include "nunatak/inspect/health/history_figures.h"

#include <gtest/gtest.h>

#include <string>

#include "iceberg/metadata_texts.h"

namespace nunatak {
namespace {

using iceberg::JsonText;

constexpr int64_t kHour = 3'600'000;

/// Snapshots 1, 2, …, one an hour, each with twice the records of the one before.
JsonText Hourly(int64_t count) {
  JsonText json = iceberg::TextV2();
  for (int64_t i = 1; i <= count; ++i) {
    iceberg::AddSnapshot(&json, i, i * kHour);
    json["snapshots"].back()["summary"]["total-records"] = std::to_string(int64_t{1} << i);
    if (i > 1) json["snapshots"].back()["parent-snapshot-id"] = i - 1;
  }
  json["current-snapshot-id"] = count;
  return json;
}

void AddStatistics(JsonText* json, const char* key, int64_t snapshot_id) {
  (*json)[key].push_back({{"snapshot-id", snapshot_id},
                          {"statistics-path", "file:/lake/t/metadata/s.puffin"},
                          {"file-size-in-bytes", 10},
                          {"file-footer-size-in-bytes", 5},
                          {"blob-metadata", JsonText::array()}});
}

TEST(MeasureSnapshots, CountsTheCommitsOfTheLastDay) {
  const auto metadata = iceberg::Parse(Hourly(30));
  const SnapshotFigures figures = MeasureSnapshots(*metadata, 31 * kHour);
  EXPECT_EQ(figures.snapshots, 30);
  EXPECT_EQ(figures.commits_of_last_day, 24);
  EXPECT_EQ(figures.commits_ms.size(), 30U);
  EXPECT_EQ(figures.commits_ms.front(), kHour);
  EXPECT_EQ(figures.expired, 0);
}

TEST(MeasureSnapshots, OfATableWithoutAnyAreNone) {
  const SnapshotFigures figures = MeasureSnapshots(*iceberg::Parse(iceberg::TextV2()), 0);
  EXPECT_EQ(figures.snapshots, 0);
  EXPECT_EQ(figures.commits_of_last_day, 0);
}

std::optional<StatisticsFigures> Stale(const JsonText& json) {
  const auto metadata = iceberg::Parse(json);
  return MeasureStatistics(*metadata, metadata->current_snapshot());
}

TEST(MeasureStatistics, AreStaleWhenSnapshotsCameAfterThem) {
  JsonText json = Hourly(5);
  EXPECT_EQ(Stale(json), std::nullopt) << "there are none";
  AddStatistics(&json, "statistics", 2);
  AddStatistics(&json, "statistics", 3);
  const auto stale = Stale(json);
  ASSERT_TRUE(stale);
  EXPECT_EQ(stale->snapshot_id, 3);
  EXPECT_EQ(stale->snapshots_behind, 2);
  EXPECT_EQ(stale->records_changed, 3.0);
  AddStatistics(&json, "statistics", 5);
  EXPECT_EQ(Stale(json), std::nullopt);
}

TEST(MeasureStatistics, RewritingFilesLeavesThemRight) {
  JsonText json = Hourly(5);
  AddStatistics(&json, "statistics", 4);
  json["snapshots"][4]["summary"]["operation"] = "replace";
  EXPECT_EQ(Stale(json), std::nullopt);
}

TEST(MeasureStatistics, TheKindThatIsFurtherBehindCounts) {
  JsonText json = Hourly(5);
  AddStatistics(&json, "statistics", 5);
  AddStatistics(&json, "partition-statistics", 1);
  ASSERT_TRUE(Stale(json));
  EXPECT_EQ(Stale(json)->snapshots_behind, 4);
}

TEST(MeasureStatistics, OfASnapshotThatIsNoAncestorAreStale) {
  JsonText json = Hourly(3);
  AddStatistics(&json, "statistics", 77);
  ASSERT_TRUE(Stale(json));
  EXPECT_EQ(Stale(json)->snapshots_behind, std::nullopt);
}

}  // namespace
}  // namespace nunatak
