#include "nunatak/iceberg/position_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <set>

#include "iceberg/errors.h"

namespace nunatak::iceberg {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

/// Positions of all densities around the seams of containers and of 32-bit bitmaps.
std::set<int64_t> RandomPositions(std::mt19937_64* random) {
  std::set<int64_t> positions;
  for (const int64_t base : {int64_t{0}, int64_t{65000}, (int64_t{1} << 32) - 300, kMax - 100000}) {
    const int64_t spread = std::uniform_int_distribution<int64_t>(1, 90000)(*random);
    const int count = std::uniform_int_distribution<int>(0, 3000)(*random);
    for (int i = 0; i < count; ++i) {
      positions.insert(base + std::uniform_int_distribution<int64_t>(0, spread)(*random));
    }
  }
  return positions;
}

std::vector<int64_t> Between(const std::set<int64_t>& model, int64_t begin, int64_t end) {
  return {model.lower_bound(begin),
          begin < end ? model.lower_bound(end) : model.lower_bound(begin)};
}

TEST(PositionSetTest, BehavesLikeAPlainSet) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 20; ++round) {
    const std::set<int64_t> model = RandomPositions(&random);
    std::vector<int64_t> shuffled(model.begin(), model.end());
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    PositionSet set;
    if (round % 2 == 0) {
      set.AddAll(shuffled);
    } else {
      for (const int64_t position : shuffled) set.Add(position);
    }
    EXPECT_EQ(set.cardinality(), static_cast<int64_t>(model.size()));
    for (int i = 0; i < 200 && !shuffled.empty(); ++i) {
      const int64_t at = shuffled[random() % shuffled.size()];
      EXPECT_TRUE(set.Contains(at));
      EXPECT_EQ(set.Contains(at - 1), model.contains(at - 1));
      const int64_t length = static_cast<int64_t>(random() % 2000);
      const int64_t begin = std::max<int64_t>(at - static_cast<int64_t>(random() % 1000), 0);
      const int64_t end = begin > kMax - length ? kMax : begin + length;
      const std::vector<int64_t> expected = Between(model, begin, end);
      EXPECT_EQ(set.InRange(begin, end), expected);
      std::vector<uint8_t> mask(static_cast<size_t>(end - begin), 0);
      set.MarkRange(begin, mask);
      std::vector<int64_t> marked;
      for (size_t k = 0; k < mask.size(); ++k) {
        if (mask[k]) marked.push_back(begin + static_cast<int64_t>(k));
      }
      EXPECT_EQ(marked, expected);
    }
  }
}

TEST(PositionSetTest, AddsAnotherSet) {
  PositionSet a;
  a.AddAll(std::vector<int64_t>{3, int64_t{1} << 33});
  PositionSet b;
  b.AddAll(std::vector<int64_t>{1, 3, int64_t{1} << 40});
  a.AddAll(b);
  EXPECT_EQ(a.InRange(0, kMax), (std::vector<int64_t>{1, 3, int64_t{1} << 33, int64_t{1} << 40}));
  EXPECT_EQ(b.cardinality(), 3);
}

TEST(PositionSetTest, EmptySetsAndRanges) {
  PositionSet set;
  EXPECT_TRUE(set.empty());
  EXPECT_EQ(set.cardinality(), 0);
  EXPECT_TRUE(set.InRange(0, kMax).empty());
  set.Add(4);
  set.Add(4);
  EXPECT_FALSE(set.empty());
  EXPECT_EQ(set.cardinality(), 1);
  EXPECT_TRUE(set.InRange(4, 4).empty());
  EXPECT_TRUE(set.InRange(5, 4).empty());
  EXPECT_EQ(set.InRange(std::numeric_limits<int64_t>::min(), 5), std::vector<int64_t>{4});
  set.MarkRange(4, {});
}

TEST(PositionSetTest, MasksKeepWhatWasMarkedBefore) {
  PositionSet set;
  set.Add(11);
  std::vector<uint8_t> mask = {1, 0, 0};
  set.MarkRange(10, mask);
  EXPECT_EQ(mask, (std::vector<uint8_t>{1, 1, 0}));
}

TEST(PositionSetTest, NegativePositionsAreErrors) {
  PositionSet set;
  ErrorOf(ErrorCode::kInvalid, [&] { set.Add(-1); });
  ErrorOf(ErrorCode::kInvalid, [&] { set.AddAll(std::vector<int64_t>{1, -5}); });
}

TEST(PositionSet, FromGivesTheFirstOnesAndGoesOnBehindThem) {
  PositionSet set;
  const std::vector<int64_t> positions = {0, 1, 300, 70'000, int64_t{1} << 33, int64_t{1} << 40};
  set.AddAll(positions);
  for (size_t count : {1U, 2U, 5U, 6U, 100U}) {
    std::vector<int64_t> found;
    for (int64_t next = 0;; next = found.back() + 1) {
      const std::vector<int64_t> some = set.From(next, count);
      EXPECT_LE(some.size(), count);
      if (some.empty()) break;
      found.insert(found.end(), some.begin(), some.end());
    }
    EXPECT_EQ(found, positions) << count;
  }
  EXPECT_TRUE(set.From(0, 0).empty());
  EXPECT_EQ(set.From(2, 1), std::vector<int64_t>{300});
}

}  // namespace
}  // namespace nunatak::iceberg
