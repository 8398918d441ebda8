#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "nunatak/base/export.h"

namespace nunatak {

/// Finds the intervals that hold a point or meet another interval, among those from some position
/// on. What the ends are is left to the caller, who ranks them: rank r is the r-th of all lower
/// (or of all upper) ends in ascending order.
///
/// A lookup among n intervals looks at O(log² n) of them, and at O(log n) for each that it finds;
/// O(log n) when it begins at position 0. Takes 8·log₂(n/16) bytes for each interval. Immutable.
class NUNATAK_EXPORT IntervalIndex {
 public:
  IntervalIndex() = default;
  /// One rank per interval in the order of positions; each vector is a permutation of 0 … n−1.
  IntervalIndex(std::vector<uint32_t> lower_ranks, std::vector<uint32_t> upper_ranks);

  size_t size() const { return lower_ranks_.size(); }

  /// The part of the order that a lookup accepts: lower ends of a rank below `lowers_end`, upper
  /// ends of a rank from `uppers_begin` on.
  struct Window {
    uint32_t lowers_end = 0;
    uint32_t uppers_begin = 0;
  };
  /// Calls `visit(position)` for each interval in the window whose position is at least `first`, in
  /// no particular order. Returns how many intervals it looked at.
  template <typename Visit>
  int64_t ForEach(size_t first, Window window, Visit&& visit) const;

  int64_t memory_bytes() const;

 private:
  /// Runs of so many intervals are compared one by one.
  static constexpr size_t kRun = 16;

  /// The intervals of each run of kRun·2^(k+1) positions, ascending by lower end, as a balanced
  /// tree: the root of a range is its middle, where `highest` has the range's highest upper rank.
  struct Level {
    std::vector<uint32_t> positions;
    std::vector<uint32_t> highest;
  };

  uint32_t FillHighest(Level* level, size_t begin, size_t end) const;
  template <typename Visit>
  int64_t ForEachIn(const Level& level, size_t begin, size_t end, Window window,
                    Visit& visit) const;

  std::vector<uint32_t> lower_ranks_;
  std::vector<uint32_t> upper_ranks_;
  std::vector<Level> levels_;
};

template <typename Visit>
int64_t IntervalIndex::ForEach(size_t first, Window window, Visit&& visit) const {
  int64_t looked_at = 0;
  for (size_t at = first; at < size();) {
    const size_t run = at / kRun;
    // The largest run that begins here; a run at the end may be a partial one.
    const size_t aligned = run == 0 ? levels_.size() : std::countr_zero(run);
    const size_t height = at % kRun == 0 ? std::min(aligned, levels_.size()) : 0;
    if (height == 0) {
      ++looked_at;
      if (lower_ranks_[at] < window.lowers_end && upper_ranks_[at] >= window.uppers_begin) {
        visit(at);
      }
      ++at;
      continue;
    }
    const size_t end = std::min(at + (kRun << height), size());
    looked_at += ForEachIn(levels_[height - 1], at, end, window, visit);
    at = end;
  }
  return looked_at;
}

template <typename Visit>
int64_t IntervalIndex::ForEachIn(const Level& level, size_t begin, size_t end, Window window,
                                 Visit& visit) const {
  int64_t looked_at = 0;
  while (begin < end) {
    const size_t middle = begin + (end - begin) / 2;
    ++looked_at;
    if (level.highest[middle] < window.uppers_begin) break;
    looked_at += ForEachIn(level, begin, middle, window, visit);
    const uint32_t position = level.positions[middle];
    if (lower_ranks_[position] >= window.lowers_end) break;
    if (upper_ranks_[position] >= window.uppers_begin) visit(size_t{position});
    begin = middle + 1;
  }
  return looked_at;
}

/// The ends of many intervals on one side, ascending; what ranks them.
template <typename End>
class SortedEnds {
 public:
  SortedEnds() = default;
  /// Sorts `ends`, and gives the rank of each in `ranks`. `less(a, b)` orders two ends.
  template <typename Less>
  SortedEnds(const std::vector<End>& ends, Less less, std::vector<uint32_t>* ranks) {
    std::vector<uint32_t> order(ends.size());
    for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(),
              [&](uint32_t a, uint32_t b) { return less(ends[a], ends[b]); });
    ends_.reserve(ends.size());
    ranks->resize(ends.size());
    for (uint32_t i : order) {
      (*ranks)[i] = static_cast<uint32_t>(ends_.size());
      ends_.push_back(ends[i]);
    }
  }

  /// The number of ends at the beginning for which `test` holds; it holds for no later ones.
  template <typename Test>
  uint32_t CountWhile(Test test, int64_t* looked_at) const {
    const auto end = std::partition_point(ends_.begin(), ends_.end(), [&](const End& e) {
      ++*looked_at;
      return test(e);
    });
    return static_cast<uint32_t>(end - ends_.begin());
  }

  int64_t memory_bytes() const { return static_cast<int64_t>(ends_.capacity() * sizeof(End)); }

 private:
  std::vector<End> ends_;
};

}  // namespace nunatak
