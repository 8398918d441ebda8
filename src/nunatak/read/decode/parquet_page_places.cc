#include "nunatak/read/decode/parquet_page_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "nunatak/read/decode/parquet_page_index.h"

namespace nunatak {

PagePlaces::PagePlaces(ByteSpan offset_index, int64_t rows,
                       const parquet::ReaderProperties& properties)
    : rows_(rows),
      index_(parquet::OffsetIndex::Make(offset_index.data(),
                                        static_cast<uint32_t>(offset_index.size()), properties)) {
  int64_t end = 0;
  for (const parquet::PageLocation& page : index_->page_locations()) {
    const int64_t least = first_rows_.empty() ? 0 : first_rows_.back() + 1;
    const int64_t most = first_rows_.empty() ? 0 : rows - 1;
    if (page.first_row_index < least || page.first_row_index > most) {
      ThrowMalformedPageIndex(fmt::format("page {} begins with row {} of {}", first_rows_.size(),
                                          page.first_row_index, rows));
    }
    if (page.offset < end || page.compressed_page_size < 0 ||
        page.offset > std::numeric_limits<int64_t>::max() - page.compressed_page_size) {
      ThrowMalformedPageIndex(fmt::format("page {} of {} bytes at byte offset {}, after {}",
                                          first_rows_.size(), page.compressed_page_size,
                                          page.offset, end));
    }
    end = page.offset + page.compressed_page_size;
    first_rows_.push_back(page.first_row_index);
  }
  if (first_rows_.empty()) ThrowMalformedPageIndex(fmt::format("no pages, for {} rows", rows));
}

RowRange PagePlaces::RowsOf(size_t page) const {
  return {first_rows_[page], page + 1 < size() ? first_rows_[page + 1] : rows_};
}

size_t PagePlaces::PageAt(int64_t row) const {
  const auto after = std::upper_bound(first_rows_.begin(), first_rows_.end(), row);
  return static_cast<size_t>(after - first_rows_.begin()) - 1;
}

ByteRange PagePlaces::RangeOf(size_t page) const {
  const parquet::PageLocation& place = index_->page_locations()[page];
  return {place.offset, place.compressed_page_size};
}

std::vector<bool> PagePlaces::PagesWith(std::span<const RowRange> rows) const {
  std::vector<bool> wanted(size(), false);
  for (const RowRange& range : rows) {
    if (range.size() == 0) continue;
    const size_t last = PageAt(range.end - 1);
    for (size_t page = PageAt(range.begin); page <= last; ++page) wanted[page] = true;
  }
  return wanted;
}

}  // namespace nunatak
