#include "nunatak/io/location.h"

#include <gtest/gtest.h>

namespace nunatak {
namespace {

TEST(CanonicalLocation, GivesEverySpellingOfALocalPathOneForm) {
  const std::pair<const char*, const char*> cases[] = {
      {"/lake/t", "/lake/t"},
      {"file:/lake/t", "/lake/t"},
      {"file:///lake/t", "/lake/t"},
      {"file://localhost/lake/t", "/lake/t"},
      {"lake/t", "lake/t"},
      {"file:///lake//t/", "/lake/t"},
      {"/", "/"},
      {"s3a://b/k//x", "s3://b/k//x"},
      {"s3n://b/k", "s3://b/k"},
      {"gs://b/k", "gs://b/k"},
  };
  for (const auto& [text, want] : cases) EXPECT_EQ(CanonicalLocation(text), want) << text;
}

TEST(CanonicalLocation, KeepsBlanksAndPercentSequencesLiterally) {
  EXPECT_EQ(CanonicalLocation("file:///my dir/p=dev%2Fapp1/a+b"), "/my dir/p=dev%2Fapp1/a+b");
}

TEST(CanonicalLocation, ABackslashIsACharacterOfAName) {
  EXPECT_EQ(CanonicalLocation("s3://b/a\\b/c.parquet"), "s3://b/a\\b/c.parquet");
  EXPECT_EQ(ParentLocation("s3://b/a\\b/c.parquet"), "s3://b/a\\b");
}

TEST(ParentLocation, DropsTheLastPart) {
  EXPECT_EQ(ParentLocation("/a/b/c"), "/a/b");
  EXPECT_EQ(ParentLocation("/a/b/"), "/a");
  EXPECT_EQ(ParentLocation("/a"), "/");
  EXPECT_EQ(ParentLocation("a"), ".");
}

TEST(LocationMap, CoversWholePathSegments) {
  LocationMap map;
  map.Add("file:/lake/wh/t", "/copy/my t");
  EXPECT_EQ(map.Map("file:/lake/wh/t"), "/copy/my t");
  EXPECT_EQ(map.Map("/lake/wh/t/data/a.parquet"), "/copy/my t/data/a.parquet");
  EXPECT_EQ(map.Map("file:///lake/wh/t/x%20y"), "/copy/my t/x%20y");
  EXPECT_EQ(map.Map("/lake/wh/t2/data/a.parquet"), "/lake/wh/t2/data/a.parquet");
}

TEST(LocationMap, PrefersTheLongestRuleAndMapsOnce) {
  LocationMap map;
  map.Add("/a", "/a/b");
  map.Add("/a/b", "/c");
  map.Add("s3a://bucket/t/", "/local/t/");
  EXPECT_EQ(map.Map("/a/x"), "/a/b/x");
  EXPECT_EQ(map.Map("/a/b/x"), "/c/x");
  EXPECT_EQ(map.Map("s3://bucket/t/m.json"), "/local/t/m.json");
}

TEST(LocationMap, MapsTheRoot) {
  LocationMap map;
  map.Add("/", "/mnt");
  EXPECT_EQ(map.Map("/x/y"), "/mnt/x/y");
}

}  // namespace
}  // namespace nunatak
