#include "nunatak/read/decode/parquet_page_index.h"

#include <fmt/format.h>

#include <algorithm>

#include "nunatak/base/error.h"
#include "nunatak/read/decode/parquet_stats.h"

namespace nunatak {

namespace {

std::optional<ByteRange> RangeOf(const std::optional<parquet::IndexLocation>& location,
                                 int64_t file_size) {
  if (!location || location->offset < 0 || location->length <= 0 ||
      location->offset > file_size - location->length) {
    return std::nullopt;
  }
  return ByteRange{location->offset, location->length};
}

[[noreturn]] void ThrowMalformed(const std::string& why) {
  ThrowInvalid("malformed page index: " + why, "--no-pruning reads the file without it");
}

}  // namespace

std::optional<PageIndexRanges> PageIndexRangesOf(const parquet::ColumnChunkMetaData& chunk,
                                                 int64_t file_size) {
  const auto column_index = RangeOf(chunk.GetColumnIndexLocation(), file_size);
  const auto offset_index = RangeOf(chunk.GetOffsetIndexLocation(), file_size);
  if (!column_index || !offset_index) return std::nullopt;
  return PageIndexRanges{*column_index, *offset_index};
}

ChunkPageIndex::ChunkPageIndex(const parquet::ColumnDescriptor& column, ByteSpan column_index,
                               ByteSpan offset_index, int64_t rows,
                               const parquet::ReaderProperties& properties)
    : rows_(rows), column_(column) {
  const auto size_of = [](ByteSpan bytes) { return static_cast<int64_t>(bytes.size()); };
  statistics_ =
      parquet::ColumnIndex::Make(column, column_index.data(), size_of(column_index), properties);
  places_ = parquet::OffsetIndex::Make(offset_index.data(),
                                       static_cast<uint32_t>(offset_index.size()), properties);
  for (const parquet::PageLocation& page : places_->page_locations()) {
    const int64_t least = first_rows_.empty() ? 0 : first_rows_.back() + 1;
    const int64_t most = first_rows_.empty() ? 0 : rows - 1;
    if (page.first_row_index < least || page.first_row_index > most) {
      ThrowMalformed(fmt::format("page {} begins with row {} of {}", first_rows_.size(),
                                 page.first_row_index, rows));
    }
    first_rows_.push_back(page.first_row_index);
  }
  const size_t pages = first_rows_.size();
  if (pages == 0 || statistics_->null_pages().size() != pages ||
      statistics_->encoded_min_values().size() != pages ||
      statistics_->encoded_max_values().size() != pages ||
      (statistics_->has_null_counts() && statistics_->null_counts().size() != pages)) {
    ThrowMalformed(fmt::format("statistics of {} pages, where there are {}",
                               statistics_->null_pages().size(), pages));
  }
}

LeafStats ChunkPageIndex::StatsAt(int64_t row) const {
  const auto after = std::upper_bound(first_rows_.begin(), first_rows_.end(), row);
  const auto page = static_cast<size_t>(after - first_rows_.begin()) - 1;
  LeafStats stats;
  stats.value_count = (page + 1 < size() ? first_rows_[page + 1] : rows_) - first_rows_[page];
  if (statistics_->null_pages()[page]) {
    stats.null_count = stats.value_count;
    return stats;
  }
  if (statistics_->has_null_counts()) stats.null_count = statistics_->null_counts()[page];
  if (column_.sort_order() == parquet::SortOrder::UNKNOWN) return stats;
  // Some writers put nothing where they have no bound; an empty text as the greatest is rare.
  const std::string& least = statistics_->encoded_min_values()[page];
  const std::string& greatest = statistics_->encoded_max_values()[page];
  if (!least.empty()) stats.lower_bound = SingleValueOf(column_, least);
  if (!greatest.empty()) stats.upper_bound = SingleValueOf(column_, greatest);
  return stats;
}

int64_t ChunkPageIndex::stored_size(size_t page) const {
  return places_->page_locations()[page].compressed_page_size;
}

}  // namespace nunatak
