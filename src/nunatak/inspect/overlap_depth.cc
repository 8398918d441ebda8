#include "nunatak/inspect/overlap_depth.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace nunatak {

namespace {

double PlaceOfBytes(ByteSpan bytes) {
  // As many of the first bytes as a double holds.
  constexpr size_t kBytes = 6;
  double place = 0;
  for (size_t i = 0; i < kBytes; ++i) place = place * 256 + (i < bytes.size() ? bytes[i] : 0);
  return place;
}

}  // namespace

OverlapDepth DepthOf(std::span<const ValueRange> ranges) {
  OverlapDepth depth;
  if (ranges.empty()) return depth;
  std::vector<double> lowers;
  std::vector<double> uppers;
  for (const ValueRange& range : ranges) {
    lowers.push_back(range.lower);
    uppers.push_back(range.upper);
  }
  std::sort(lowers.begin(), lowers.end());
  std::sort(uppers.begin(), uppers.end());
  // Ranges that begin at or before a lower bound, less those that end before it.
  int64_t sum = 0;
  for (const double lower : lowers) {
    const auto begun = std::upper_bound(lowers.begin(), lowers.end(), lower) - lowers.begin();
    const auto ended = std::lower_bound(uppers.begin(), uppers.end(), lower) - uppers.begin();
    sum += begun - ended;
    depth.max = std::max<int64_t>(depth.max, begun - ended);
  }
  depth.average = static_cast<double>(sum) / static_cast<double>(ranges.size());
  return depth;
}

double PlaceOf(const ValueView& value) {
  switch (value.kind) {
    case ValueView::Kind::kInteger:
      return static_cast<double>(value.integer);
    case ValueView::Kind::kReal:
      return value.real;
    case ValueView::Kind::kDecimal:
      return static_cast<double>(value.decimal);
    case ValueView::Kind::kBytes:
      return PlaceOfBytes(value.span());
    case ValueView::Kind::kNull:
      break;
  }
  return 0;
}

}  // namespace nunatak
