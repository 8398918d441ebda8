#include "nunatak/read/row_partitions.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "read/changed_row_batches.h"

namespace nunatak {
namespace {

RowPartitions::Options OptionsOf(int64_t memory) {
  return {.key = KeyOf(1), .schema = BatchOf({{'+', 0, "a"}}).batch->schema(), .memory = memory};
}

/// The rows of each partition.
std::vector<std::vector<std::string>> PartitionsOf(RowPartitions& partitions) {
  std::vector<std::vector<std::string>> found;
  while (const auto partition = partitions.Next()) {
    auto& rows = found.emplace_back();
    for (const ChangedRows& batch : *partition) {
      for (std::string& text : TextsOf(batch)) rows.push_back(std::move(text));
    }
  }
  return found;
}

std::string KeyIn(const std::string& text) { return text.substr(3, text.rfind(' ') - 3); }

TEST(RowPartitions, WhatFitsIsOnePartitionInOrder) {
  RowPartitions partitions(OptionsOf(1 << 20));
  partitions.Add(BatchOf({{'-', 0, "b", 1}, {'-', 0, "a"}}));
  partitions.Add(BatchOf({{'+', 1, "c", 2}}));
  EXPECT_EQ(PartitionsOf(partitions),
            (std::vector<std::vector<std::string>>{{"-0 b 1", "-0 a -", "+1 c 2"}}));
}

TEST(RowPartitions, NothingHasNoPartition) {
  RowPartitions partitions(OptionsOf(1));
  EXPECT_FALSE(partitions.Next());
}

TEST(RowPartitions, RowsOfOneKeyMeetHoweverOftenTheyAreParted) {
  for (const int64_t memory : {1, 5000, 40000}) {
    RowPartitions partitions(OptionsOf(memory));
    std::multiset<std::string> added;
    for (int32_t snapshot = 0; snapshot < 5; ++snapshot) {
      std::vector<ChangedRow> rows;
      for (int i = 0; i < 200; ++i) {
        rows.push_back({snapshot % 2 ? '-' : '+', snapshot, "key " + std::to_string(i), i});
      }
      ChangedRows batch = BatchOf(rows);
      for (const std::string& text : TextsOf(batch)) added.insert(text);
      partitions.Add(std::move(batch));
    }
    std::multiset<std::string> found;
    std::map<std::string, size_t> partition_of;
    const auto parts = PartitionsOf(partitions);
    for (size_t i = 0; i < parts.size(); ++i) {
      std::map<std::string, char> last;
      for (const std::string& text : parts[i]) {
        found.insert(text);
        EXPECT_EQ(partition_of.emplace(KeyIn(text), i).first->second, i) << text;
        // Snapshots, whose number is the second character, stay in order.
        EXPECT_LT(std::exchange(last[KeyIn(text)], text[1]), text[1]);
      }
    }
    EXPECT_EQ(found, added);
    EXPECT_GT(parts.size(), memory == 1 ? 100u : memory == 5000 ? 15u : 1u) << memory;
  }
}

}  // namespace
}  // namespace nunatak
