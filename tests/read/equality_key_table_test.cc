#include "nunatak/read/equality_key_table.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>

namespace nunatak {
namespace {

DeleteFileSet Files(std::initializer_list<uint32_t> numbers) {
  DeleteFileSet files(8);
  for (const uint32_t number : numbers) files[number] = true;
  return files;
}

TEST(EqualityKeyTableTest, FindsKeysOfEveryLength) {
  EqualityKeyTable table;
  std::vector<std::string> keys;
  for (size_t length = 0; length < 300; ++length) keys.emplace_back(length, 'k');
  for (const size_t length : {16383, 16384, 100000}) keys.emplace_back(length, 'x');
  for (const std::string& key : keys) table.Add(key, 0);
  EXPECT_EQ(table.size(), keys.size());
  for (const std::string& key : keys) {
    EXPECT_TRUE(table.Contains(key, Files({0}))) << key.size();
    EXPECT_FALSE(table.Contains(key + '\0', Files({0}))) << key.size();
  }
}

TEST(EqualityKeyTableTest, AKeyBelongsToTheFilesThatHaveIt) {
  EqualityKeyTable table;
  table.Add("a", 1);
  table.Add("a", 3);
  table.Add("a", 1);
  table.Add("b", 2);
  EXPECT_TRUE(table.Contains("a", Files({1})));
  EXPECT_TRUE(table.Contains("a", Files({3, 2})));
  EXPECT_FALSE(table.Contains("a", Files({0, 2, 4})));
  EXPECT_FALSE(table.Contains("b", Files({1, 3})));
  EXPECT_FALSE(table.Contains("a", {}));
  EXPECT_FALSE(table.Contains("c", Files({1, 2, 3})));
}

TEST(EqualityKeyTableTest, AgreesWithASetOfPairs) {
  std::mt19937_64 random(7);
  EqualityKeyTable table;
  std::set<std::pair<std::string, uint32_t>> expected;
  for (int i = 0; i < 20000; ++i) {
    const std::string key = std::to_string(random() % 5000);
    const auto file = static_cast<uint32_t>(random() % 8);
    table.Add(key, file);
    expected.emplace(key, file);
  }
  for (int key = 0; key < 6000; ++key) {
    for (uint32_t file = 0; file < 8; ++file) {
      ASSERT_EQ(table.Contains(std::to_string(key), Files({file})),
                expected.contains({std::to_string(key), file}))
          << key << ' ' << file;
    }
  }
}

TEST(EqualityKeyTableTest, TakesKeyBytesAndAFewMorePerKey) {
  EqualityKeyTable table;
  constexpr int64_t kKeys = 100000;
  for (int64_t i = 0; i < kKeys; ++i) {
    table.Add(std::string_view(reinterpret_cast<const char*>(&i), sizeof(i)), 0);
  }
  EXPECT_EQ(table.size(), kKeys);
  EXPECT_LT(table.memory_bytes(), kKeys * (2 * (8 + 5) + 22));
}

TEST(EqualityKeyTableTest, AKeyThatAFileRepeatsTakesNoMoreMemory) {
  EqualityKeyTable once;
  once.Add("key", 0);
  EqualityKeyTable often;
  for (int i = 0; i < 100000; ++i) often.Add("key", 0);
  EXPECT_EQ(often.memory_bytes(), once.memory_bytes());
}

}  // namespace
}  // namespace nunatak
