#include "nunatak/inspect/overlap_depth.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace nunatak {
namespace {

/// The definition, taken at its word.
OverlapDepth SlowDepth(const std::vector<ValueRange>& ranges) {
  OverlapDepth depth;
  for (const ValueRange& at : ranges) {
    int64_t holding = 0;
    for (const ValueRange& range : ranges) {
      holding += range.lower <= at.lower && at.lower <= range.upper ? 1 : 0;
    }
    depth.average += static_cast<double>(holding) / static_cast<double>(ranges.size());
    depth.max = std::max(depth.max, holding);
  }
  return depth;
}

TEST(OverlapDepth, RangesThatDoNotOverlapHaveDepthOne) {
  const OverlapDepth depth = DepthOf(std::vector<ValueRange>{{0, 1}, {4, 5}, {2, 3}});
  EXPECT_EQ(depth.average, 1);
  EXPECT_EQ(depth.max, 1);
}

TEST(OverlapDepth, RangesThatTouchOverlap) {
  EXPECT_EQ(DepthOf(std::vector<ValueRange>{{0, 1}, {1, 2}}).max, 2);
  EXPECT_EQ(DepthOf(std::vector<ValueRange>{{0, 1}, {1, 2}}).average, 1.5);
}

TEST(OverlapDepth, EqualRangesAllLieOverEachOther) {
  const OverlapDepth depth = DepthOf(std::vector<ValueRange>(7, {3, 3}));
  EXPECT_EQ(depth.average, 7);
  EXPECT_EQ(depth.max, 7);
}

TEST(OverlapDepth, OfNoRangesIsZero) {
  EXPECT_EQ(DepthOf({}).average, 0);
  EXPECT_EQ(DepthOf({}).max, 0);
}

TEST(OverlapDepth, OfRandomRangesIsThatOfTheDefinition) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    std::vector<ValueRange> ranges(random() % 40 + 1);
    for (ValueRange& range : ranges) {
      range.lower = static_cast<double>(random() % 30);
      range.upper = range.lower + static_cast<double>(random() % 10);
    }
    EXPECT_NEAR(DepthOf(ranges).average, SlowDepth(ranges).average, 1e-9);
    EXPECT_EQ(DepthOf(ranges).max, SlowDepth(ranges).max);
  }
}

TEST(PlaceOf, KeepsTheOrderOfValues) {
  const auto text = [](std::string_view bytes) { return PlaceOf(ValueView::Bytes(bytes)); };
  EXPECT_LT(PlaceOf(ValueView::Integer(-3)), PlaceOf(ValueView::Integer(2)));
  EXPECT_LT(PlaceOf(ValueView::Real(0.25)), PlaceOf(ValueView::Real(0.5)));
  EXPECT_LT(PlaceOf(ValueView::Decimal(9)), PlaceOf(ValueView::Decimal(10)));
  EXPECT_LT(text("a"), text("b"));
  EXPECT_LT(text("a"), text("aa"));
  EXPECT_LT(text("z"), text("\xC3\xA4"));
}

}  // namespace
}  // namespace nunatak
