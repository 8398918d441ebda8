#include "nunatak/plan/interval_index.h"

#include <iterator>
#include <numeric>
#include <utility>

namespace nunatak {

IntervalIndex::IntervalIndex(std::vector<uint32_t> lower_ranks, std::vector<uint32_t> upper_ranks)
    : lower_ranks_(std::move(lower_ranks)), upper_ranks_(std::move(upper_ranks)) {
  const auto by_lower = [this](uint32_t a, uint32_t b) {
    return lower_ranks_[a] < lower_ranks_[b];
  };
  std::vector<uint32_t> positions(size());
  std::iota(positions.begin(), positions.end(), 0);
  const auto at = [&](size_t i) {
    return positions.begin() + static_cast<std::ptrdiff_t>(std::min(i, size()));
  };
  for (size_t i = 0; i < size(); i += kRun) std::sort(at(i), at(i + kRun), by_lower);
  for (size_t half = kRun; half < size(); half *= 2) {
    Level level;
    level.positions.reserve(size());
    level.highest.resize(size());
    for (size_t i = 0; i < size(); i += 2 * half) {
      std::merge(at(i), at(i + half), at(i + half), at(i + 2 * half),
                 std::back_inserter(level.positions), by_lower);
      FillHighest(&level, i, std::min(i + 2 * half, size()));
    }
    positions = level.positions;
    levels_.push_back(std::move(level));
  }
}

uint32_t IntervalIndex::FillHighest(Level* level, size_t begin, size_t end) const {
  if (begin == end) return 0;
  const size_t middle = begin + (end - begin) / 2;
  const uint32_t own = upper_ranks_[level->positions[middle]];
  const uint32_t before = FillHighest(level, begin, middle);
  const uint32_t after = FillHighest(level, middle + 1, end);
  level->highest[middle] = std::max({own, before, after});
  return level->highest[middle];
}

int64_t IntervalIndex::memory_bytes() const {
  return static_cast<int64_t>(size() * sizeof(uint32_t) * 2 * (1 + levels_.size()));
}

}  // namespace nunatak
