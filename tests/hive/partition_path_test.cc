#include "nunatak/hive/partition_path.h"

#include <gtest/gtest.h>

#include <vector>

namespace nunatak::hive {
namespace {

TEST(PartitionPath, NamesAndValuesAreDecodedOnce) {
  struct Case {
    std::string_view directory;
    std::string name;
    std::optional<std::string> value;
  };
  const std::vector<Case> cases = {
      {"k=1", "k", "1"},
      {"k=", "k", ""},
      {"p=a b", "p", "a b"},
      {"p=a+b", "p", "a+b"},
      {"p=a%2Fb", "p", "a/b"},
      {"p=a%3Db", "p", "a=b"},
      {"p=a=b", "p", "a=b"},
      // Once, and no more.
      {"p=%2520", "p", "%20"},
      {"p%3Aq=1", "p:q", "1"},
      {"p=%C3%BC", "p", "ü"},
      {"p=ünï", "p", "ünï"},
      // No escapes, or none of UTF-8.
      {"p=100%", "p", "100%"},
      {"p=%zz", "p", "%zz"},
      {"p=%FF", "p", "%FF"},
      {"p=__HIVE_DEFAULT_PARTITION__", "p", std::nullopt},
      {"_k=1", "_k", "1"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(ParsePartitionPart(c.directory), (PartitionPart{c.name, c.value})) << c.directory;
  }
}

TEST(PartitionPath, OtherNamesAreNoParts) {
  for (const char* name : {"data", "2024", "=1", ""}) {
    EXPECT_EQ(ParsePartitionPart(name), std::nullopt) << name;
  }
}

TEST(PartitionPath, HiddenNamesAreThoseOfSpark) {
  for (const char* name : {"_SUCCESS", "_temporary", ".a.parquet.crc", ".staging", ".k=1",
                           "_metadata", "part-5.parquet._COPYING_"}) {
    EXPECT_TRUE(IsHidden(name)) << name;
  }
  for (const char* name : {"_k=1", "a.parquet", "000000_0", "k=_x"}) {
    EXPECT_FALSE(IsHidden(name)) << name;
  }
}

}  // namespace
}  // namespace nunatak::hive
