#include "nunatak/read/decode/parquet_page_index.h"

#include <fmt/format.h>

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

}  // namespace

std::optional<PageIndexRanges> PageIndexRangesOf(const parquet::ColumnChunkMetaData& chunk,
                                                 int64_t file_size) {
  const auto column_index = RangeOf(chunk.GetColumnIndexLocation(), file_size);
  const auto offset_index = RangeOf(chunk.GetOffsetIndexLocation(), file_size);
  if (!column_index || !offset_index) return std::nullopt;
  return PageIndexRanges{*column_index, *offset_index};
}

void ThrowMalformedPageIndex(const std::string& why) {
  ThrowInvalid("malformed page index: " + why, "--no-pruning reads the file without it");
}

ChunkPageIndex::ChunkPageIndex(const parquet::ColumnDescriptor& column, ByteSpan column_index,
                               ByteSpan offset_index, int64_t rows,
                               const parquet::ReaderProperties& properties)
    : column_(column),
      places_(offset_index, rows, properties),
      statistics_(parquet::ColumnIndex::Make(
          column, column_index.data(), static_cast<uint32_t>(column_index.size()), properties)) {
  const size_t pages = places_.size();
  if (statistics_->null_pages().size() != pages ||
      statistics_->encoded_min_values().size() != pages ||
      statistics_->encoded_max_values().size() != pages ||
      (statistics_->has_null_counts() && statistics_->null_counts().size() != pages)) {
    ThrowMalformedPageIndex(fmt::format("statistics of {} pages, where there are {}",
                                        statistics_->null_pages().size(), pages));
  }
}

LeafStats ChunkPageIndex::StatsAt(int64_t row) const {
  const size_t page = places_.PageAt(row);
  LeafStats stats;
  stats.value_count = places_.RowsOf(page).size();
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

}  // namespace nunatak
