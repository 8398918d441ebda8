#include "nunatak/iceberg/snapshots.h"

#include <gtest/gtest.h>

#include <thread>

#include "iceberg/metadata_texts.h"
#include "nunatak/base/error.h"

namespace nunatak::iceberg {
namespace {

/// Snapshots 1 → 2 → … → count, each with a summary of its own.
JsonText ManySnapshots(int count) {
  JsonText json = TextWithSnapshot();
  json["snapshots"] = JsonText::array();
  for (int i = 1; i <= count; ++i) {
    JsonText snapshot = {{"snapshot-id", i},
                         {"sequence-number", i},
                         {"timestamp-ms", 1000 + i},
                         {"manifest-list", "file:/list-" + std::to_string(i)},
                         {"summary", {{"operation", "append"}, {"number", std::to_string(i)}}}};
    if (i > 1) snapshot["parent-snapshot-id"] = i - 1;
    json["snapshots"].push_back(std::move(snapshot));
  }
  json["current-snapshot-id"] = count;
  json.erase("refs");
  return json;
}

TEST(Snapshots, AreFoundByIdAndInTheOrderOfTheFile) {
  const auto metadata = Parse(ManySnapshots(100));
  const Snapshots& snapshots = metadata->snapshots;
  ASSERT_EQ(snapshots.size(), 100u);
  int64_t i = 0;
  for (const Snapshot& snapshot : snapshots) {
    EXPECT_EQ(snapshot.snapshot_id, ++i);
    EXPECT_EQ(snapshot.summary, (StringMap{{"number", std::to_string(i)}}));
    EXPECT_EQ(snapshot.operation, "append");
    EXPECT_EQ(snapshots.id(static_cast<size_t>(i - 1)), i);
    EXPECT_EQ(snapshots.timestamp_ms(static_cast<size_t>(i - 1)), 1000 + i);
    ASSERT_NE(snapshots.Find(i), nullptr);
    EXPECT_EQ(*snapshots.Find(i), snapshot);
  }
  EXPECT_EQ(snapshots.Find(0), nullptr);
  EXPECT_EQ(snapshots.Find(101), nullptr);
}

TEST(Snapshots, OneThatWasFoundStaysWhereItIs) {
  const auto metadata = Parse(ManySnapshots(10));
  const Snapshot* found = metadata->FindSnapshot(7);
  for (int64_t id = 1; id <= 10; ++id) metadata->FindSnapshot(id);
  EXPECT_EQ(metadata->FindSnapshot(7), found);
  EXPECT_EQ(found->manifest_list, "file:/list-7");
}

TEST(Snapshots, ACopyOutlivesItsOrigin) {
  Snapshots copy;
  {
    const auto metadata = Parse(ManySnapshots(3));
    metadata->FindSnapshot(1);
    copy = metadata->snapshots;
  }
  EXPECT_EQ(copy.Find(1)->manifest_list, "file:/list-1");
  EXPECT_EQ(copy.Find(3)->manifest_list, "file:/list-3");
  EXPECT_EQ(copy.At(2).timestamp_ms, 1003);
}

TEST(Snapshots, AncestorsGoAsFarAsTheTableHasThem) {
  JsonText json = ManySnapshots(5);
  json["snapshots"][1]["parent-snapshot-id"] = 99;  // expired
  const auto metadata = Parse(json);
  EXPECT_EQ(metadata->AncestorIds(metadata->current_snapshot()), (std::set<int64_t>{2, 3, 4, 5}));
  EXPECT_EQ(metadata->AncestorIds(nullptr), std::set<int64_t>());
  EXPECT_EQ(metadata->snapshots.ParentOf(2), 99);
  EXPECT_EQ(metadata->snapshots.ParentOf(1), std::nullopt);
  EXPECT_EQ(metadata->snapshots.ParentOf(99), std::nullopt);
  json["snapshots"][1]["parent-snapshot-id"] = 4;  // a circle
  EXPECT_EQ(Parse(json)->snapshots.AncestorIds(3), (std::set<int64_t>{2, 3, 4}));
}

TEST(Snapshots, AreFoundByManyThreadsAtOnce) {
  const auto metadata = Parse(ManySnapshots(200));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int64_t id = 1; id <= 200; ++id) {
        EXPECT_EQ(metadata->FindSnapshot(id)->timestamp_ms, 1000 + id);
        EXPECT_EQ(metadata->snapshots.At(static_cast<size_t>(id - 1)).snapshot_id, id);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Snapshots, WhatIsWrongWithAnyOfThemIsFoundAtOnce) {
  JsonText json = ManySnapshots(50);
  json["snapshots"][30].erase("timestamp-ms");
  try {
    Parse(json);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "snapshots[30]: required field 'timestamp-ms' is missing");
  }
}

}  // namespace
}  // namespace nunatak::iceberg
