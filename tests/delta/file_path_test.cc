#include "nunatak/delta/file_path.h"

#include <gtest/gtest.h>

namespace nunatak::delta {
namespace {

TEST(FilePath, IsDecodedOnce) {
  const std::pair<const char*, const char*> cases[] = {
      {"a.parquet", "a.parquet"}, {"a%20b", "a b"}, {"a%2520b", "a%20b"},
      {"%C3%A9", "\xc3\xa9"},     {"a b", "a b"},   {"50%", "50%"},
      {"50%2", "50%2"},           {"a%zz", "a%zz"}, {"k=%2541%252F", "k=%41%2F"},
  };
  for (const auto& [path, decoded] : cases) EXPECT_EQ(DecodePath(path), decoded);
}

TEST(FilePath, AbsolutePathsStandForThemselves) {
  EXPECT_EQ(ResolvePath("/t", "k=1/a.parquet"), "/t/k=1/a.parquet");
  EXPECT_EQ(ResolvePath("/t", "/u/a.parquet"), "/u/a.parquet");
  EXPECT_EQ(ResolvePath("/t", "s3://b/a.parquet"), "s3://b/a.parquet");
  EXPECT_EQ(ResolvePath("/t", "file:/u/a.parquet"), "file:/u/a.parquet");
  EXPECT_EQ(ResolvePath("/t", "k=10:30/a.parquet"), "/t/k=10:30/a.parquet");
}

}  // namespace
}  // namespace nunatak::delta
