#include "nunatak/inspect/health/snapshot_retention.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "iceberg/metadata_texts.h"

namespace nunatak {
namespace {

using iceberg::JsonText;

constexpr int64_t kDay = 86'400'000;
constexpr int64_t kNow = 1000 * kDay;

/// A branch "main" of snapshots 1, 2, …, which are so many days old.
JsonText Line(const std::vector<int64_t>& ages) {
  JsonText json = iceberg::TextV2();
  for (size_t i = 0; i < ages.size(); ++i) {
    iceberg::AddSnapshot(&json, static_cast<int64_t>(i) + 1, kNow - ages[i] * kDay);
    if (i > 0) json["snapshots"].back()["parent-snapshot-id"] = i;
  }
  json["current-snapshot-id"] = ages.size();
  return json;
}

std::set<int64_t> Expired(const JsonText& json) {
  return ExpiredSnapshots(*iceberg::Parse(json), kNow);
}

using Ids = std::set<int64_t>;

TEST(ExpiredSnapshots, FiveDaysAreKeptByDefault) {
  EXPECT_EQ(Expired(Line({7, 6, 5, 1})), (Ids{1, 2}));
}

TEST(ExpiredSnapshots, TheCurrentOneIsKeptHoweverOld) {
  EXPECT_EQ(Expired(Line({30, 20})), (Ids{1}));
  EXPECT_EQ(Expired(iceberg::TextV2()), Ids{});
}

TEST(ExpiredSnapshots, PropertiesSetHowManyAndHowLong) {
  JsonText json = Line({30, 20, 10, 1});
  json["properties"]["history.expire.min-snapshots-to-keep"] = "3";
  EXPECT_EQ(Expired(json), (Ids{1}));
  json["properties"]["history.expire.max-snapshot-age-ms"] = std::to_string(40 * kDay);
  EXPECT_EQ(Expired(json), Ids{});
}

TEST(ExpiredSnapshots, TheFirstThatIsTooOldEndsABranch) {
  // Snapshot 1 is younger than its child, by clocks that disagree.
  EXPECT_EQ(Expired(Line({2, 9, 1})), (Ids{1, 2}));
}

TEST(ExpiredSnapshots, ABranchHasARetentionOfItsOwn) {
  JsonText json = Line({30, 20, 10, 1});
  json["refs"] = {
      {"main", {{"snapshot-id", 4}, {"type", "branch"}}},
      {"audit", {{"snapshot-id", 3}, {"type", "branch"}, {"min-snapshots-to-keep", 2}}}};
  EXPECT_EQ(Expired(json), (Ids{1}));
  json["refs"]["audit"]["max-snapshot-age-ms"] = 40 * kDay;
  EXPECT_EQ(Expired(json), Ids{});
}

TEST(ExpiredSnapshots, ATagKeepsItsSnapshotAlone) {
  JsonText json = Line({30, 20, 10, 1});
  json["refs"] = {{"main", {{"snapshot-id", 4}, {"type", "branch"}}},
                  {"v1", {{"snapshot-id", 2}, {"type", "tag"}}}};
  EXPECT_EQ(Expired(json), (Ids{1, 3}));
}

TEST(ExpiredSnapshots, RefsThatAreTooOldDoNotCount) {
  JsonText json = Line({30, 20, 10, 1});
  json["refs"] = {{"main", {{"snapshot-id", 4}, {"type", "branch"}, {"max-ref-age-ms", 1}}},
                  {"v1", {{"snapshot-id", 2}, {"type", "tag"}, {"max-ref-age-ms", 19 * kDay}}}};
  EXPECT_EQ(Expired(json), (Ids{1, 2, 3}));
  json["refs"]["v1"]["max-ref-age-ms"] = 21 * kDay;
  EXPECT_EQ(Expired(json), (Ids{1, 3}));
  json["refs"]["v1"].erase("max-ref-age-ms");
  json["properties"]["history.expire.max-ref-age-ms"] = std::to_string(kDay);
  EXPECT_EQ(Expired(json), (Ids{1, 2, 3}));
}

TEST(ExpiredSnapshots, ThoseThatNoRefLeadsToAreKeptWhileTheyAreYoung) {
  JsonText json = Line({3, 1});
  iceberg::AddSnapshot(&json, 8, kNow - 4 * kDay);
  iceberg::AddSnapshot(&json, 9, kNow - 6 * kDay);
  json["snapshot-log"] = JsonText::array();
  EXPECT_EQ(Expired(json), (Ids{9}));
}

TEST(ExpiredSnapshots, NothingExpiresWhereCollectingIsOff) {
  JsonText json = Line({30, 20, 10, 1});
  json["properties"]["gc.enabled"] = "FALSE";
  EXPECT_EQ(Expired(json), Ids{});
}

}  // namespace
}  // namespace nunatak
