#include "nunatak/io/join_ranges.h"

#include <algorithm>

namespace nunatak {

std::vector<ByteRange> JoinRanges(std::vector<ByteRange> ranges, int64_t max_gap,
                                  int64_t max_length) {
  std::sort(ranges.begin(), ranges.end(), [](const ByteRange& a, const ByteRange& b) {
    return a.offset != b.offset ? a.offset < b.offset : a.length > b.length;
  });
  std::vector<ByteRange> joined;
  for (const ByteRange& range : ranges) {
    if (!joined.empty()) {
      ByteRange& last = joined.back();
      const int64_t end = last.offset + last.length;
      const int64_t new_end = std::max(end, range.offset + range.length);
      const bool is_near = range.offset <= end || range.offset - end <= max_gap;
      if (new_end == end || (is_near && new_end - last.offset <= max_length)) {
        last.length = new_end - last.offset;
        continue;
      }
    }
    joined.push_back(range);
  }
  return joined;
}

}  // namespace nunatak
