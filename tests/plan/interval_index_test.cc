#include "nunatak/plan/interval_index.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace nunatak {
namespace {

struct Interval {
  int lower = 0;
  int upper = 0;
};

/// Intervals with their index, looked up one by one as well.
class Intervals {
 public:
  explicit Intervals(std::vector<Interval> intervals) : intervals_(std::move(intervals)) {
    std::vector<int> lowers;
    std::vector<int> uppers;
    for (const Interval& interval : intervals_) {
      lowers.push_back(interval.lower);
      uppers.push_back(interval.upper);
    }
    std::vector<uint32_t> lower_ranks;
    std::vector<uint32_t> upper_ranks;
    lowers_ = SortedEnds(lowers, std::less<>(), &lower_ranks);
    uppers_ = SortedEnds(uppers, std::less<>(), &upper_ranks);
    index_ = IntervalIndex(std::move(lower_ranks), std::move(upper_ranks));
  }

  /// The positions from `first` on whose intervals hold `point`; adds up what was looked at.
  std::multiset<size_t> Find(size_t first, int point, int64_t* looked_at) const {
    std::multiset<size_t> found;
    const IntervalIndex::Window window = {
        .lowers_end = lowers_.CountWhile([&](int lower) { return lower <= point; }, looked_at),
        .uppers_begin = uppers_.CountWhile([&](int upper) { return upper < point; }, looked_at)};
    *looked_at += index_.ForEach(first, window, [&](size_t i) { found.insert(i); });
    return found;
  }

  std::multiset<size_t> FindOneByOne(size_t first, int point) const {
    std::multiset<size_t> found;
    for (size_t i = first; i < intervals_.size(); ++i) {
      if (intervals_[i].lower <= point && point <= intervals_[i].upper) found.insert(i);
    }
    return found;
  }

 private:
  std::vector<Interval> intervals_;
  SortedEnds<int> lowers_;
  SortedEnds<int> uppers_;
  IntervalIndex index_;
};

TEST(IntervalIndex, FindsWhatLookingAtEachFinds) {
  std::mt19937 random(1);
  const auto pick = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
  for (int size : {0, 1, 2, 15, 16, 17, 31, 32, 33, 48, 49, 100, 128, 129, 300}) {
    std::vector<Interval> intervals;
    for (int i = 0; i < size; ++i) {
      const int lower = pick(50);
      intervals.push_back({lower, lower + (pick(4) == 0 ? pick(50) : pick(3))});
    }
    const Intervals index(std::move(intervals));
    for (int i = 0; i < 400; ++i) {
      const auto first = static_cast<size_t>(pick(size + 1));
      const int point = pick(60);
      int64_t looked_at = 0;
      EXPECT_EQ(index.Find(first, point, &looked_at), index.FindOneByOne(first, point))
          << size << " intervals, from " << first << ", point " << point;
    }
  }
}

// The positions of one kind are mixed with those of another, so that neither their ends nor their
// positions alone tell which few are wanted.
TEST(IntervalIndex, EarlyWideIntervalsDoNotSlowLookupsAmongLaterNarrowOnes) {
  constexpr int kEach = 50'000;
  std::vector<Interval> intervals;
  for (int i = 0; i < kEach; ++i) intervals.push_back({i, 2 * kEach});
  for (int i = 0; i < kEach; ++i) intervals.push_back({i, i});
  const Intervals index(std::move(intervals));
  for (int point = 0; point < kEach; point += 997) {
    int64_t looked_at = 0;
    EXPECT_EQ(index.Find(kEach + 1, point + 1, &looked_at).size(), 1u);
    EXPECT_LE(looked_at, 2 * 17 + 17 * 17);
  }
}

}  // namespace
}  // namespace nunatak
