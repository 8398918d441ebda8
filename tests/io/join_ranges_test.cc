#include "nunatak/io/join_ranges.h"

#include <gtest/gtest.h>

namespace nunatak {
namespace {

using Ranges = std::vector<ByteRange>;

TEST(JoinRanges, NeighboursAndWhatIsNearAreOneRange) {
  struct Case {
    Ranges ranges;
    Ranges joined;
  };
  const Case cases[] = {
      {{}, {}},
      {{{5, 10}}, {{5, 10}}},
      // The gap is 10, the longest range 100.
      {{{0, 10}, {10, 5}}, {{0, 15}}},
      {{{0, 10}, {20, 5}}, {{0, 25}}},
      {{{0, 10}, {21, 5}}, {{0, 10}, {21, 5}}},
      {{{21, 5}, {0, 10}}, {{0, 10}, {21, 5}}},
      {{{0, 60}, {60, 40}}, {{0, 100}}},
      {{{0, 60}, {60, 41}}, {{0, 60}, {60, 41}}},
      {{{0, 500}, {500, 1}}, {{0, 500}, {500, 1}}},
      // What lies within another is no range of its own, however long that is.
      {{{0, 500}, {20, 30}, {0, 400}}, {{0, 500}}},
      {{{0, 20}, {10, 20}}, {{0, 30}}},
  };
  for (const Case& c : cases) EXPECT_EQ(JoinRanges(c.ranges, 10, 100), c.joined);
}

}  // namespace
}  // namespace nunatak
