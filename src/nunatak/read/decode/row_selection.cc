#include "nunatak/read/decode/row_selection.h"

#include <algorithm>
#include <cstring>

namespace nunatak {

namespace {

/// Calls `visit` for each run of zeros.
template <typename Visit>
void VisitKept(std::span<const uint8_t> dropped, Visit visit) {
  const uint8_t* const begin = dropped.data();
  const uint8_t* const end = begin + dropped.size();
  for (const uint8_t* at = begin; at != end;) {
    const uint8_t* const kept = std::find(at, end, uint8_t{0});
    if (kept == end) return;
    const auto* stop =
        static_cast<const uint8_t*>(std::memchr(kept, 1, static_cast<size_t>(end - kept)));
    at = stop == nullptr ? end : stop;
    visit(RowRange{kept - begin, at - begin});
  }
}

}  // namespace

RowSelection RowSelection::All(int64_t total) {
  RowSelection rows;
  rows.total_ = total;
  if (total > 0) rows.Append({0, total});
  return rows;
}

RowSelection RowSelection::Without(std::span<const uint8_t> dropped) {
  RowSelection rows;
  rows.total_ = static_cast<int64_t>(dropped.size());
  VisitKept(dropped, [&](const RowRange& range) { rows.Append(range); });
  return rows;
}

RowSelection RowSelection::Narrowed(std::span<const uint8_t> dropped) const {
  RowSelection rows;
  rows.total_ = total_;
  size_t seen = 0;
  for (const RowRange& range : ranges_) {
    const auto size = static_cast<size_t>(range.size());
    VisitKept(dropped.subspan(seen, size), [&](const RowRange& kept) {
      rows.Append({range.begin + kept.begin, range.begin + kept.end});
    });
    seen += size;
  }
  return rows;
}

void RowSelection::Append(RowRange range) {
  count_ += range.size();
  if (!ranges_.empty() && ranges_.back().end == range.begin) {
    ranges_.back().end = range.end;
  } else {
    ranges_.push_back(range);
  }
}

}  // namespace nunatak
