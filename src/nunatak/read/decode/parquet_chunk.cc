#include "nunatak/read/decode/parquet_chunk.h"

#include <fmt/format.h>
#include <parquet/size_statistics.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/read/decode/parquet_page_index.h"
#include "nunatak/read/decode/parquet_pages.h"

namespace nunatak {

namespace {

constexpr double kMaxUnstoredBytes = int64_t{1} << 30;

bool IsEmpty(const ParquetPage& page) { return page.is_data && page.values == 0; }

/// The bytes without the empty pages of the chunk with which they begin. What follows the chunk
/// stays in its place, and between them is something that nobody reads.
Buffer WithoutEmptyPages(ByteSpan bytes, const std::vector<ParquetPage>& pages) {
  std::vector<uint8_t> kept;
  for (const ParquetPage& page : pages) {
    if (IsEmpty(page)) continue;
    const ByteSpan page_bytes = bytes.subspan(page.offset, page.size);
    kept.insert(kept.end(), page_bytes.begin(), page_bytes.end());
  }
  const size_t end = pages.back().offset + pages.back().size;
  kept.resize(end);
  kept.insert(kept.end(), bytes.begin() + static_cast<std::ptrdiff_t>(end), bytes.end());
  return Buffer::From(std::move(kept));
}

double CountValues(const std::vector<ParquetPage>& pages) {
  double values = 0;
  for (const ParquetPage& page : pages) values += page.is_data ? page.values : 0;
  return values;
}

/// What one value takes at least, null or not.
double WidthOf(const parquet::ColumnDescriptor& column) {
  switch (column.physical_type()) {
    case parquet::Type::BOOLEAN:
      return 1.0 / 8;
    case parquet::Type::FIXED_LEN_BYTE_ARRAY:
      return column.type_length();
    case parquet::Type::INT64:
    case parquet::Type::DOUBLE:
    case parquet::Type::INT96:
      return 8;
    default:
      return 4;
  }
}

/// What the texts that a dictionary holds take in every row, by their average.
double TextBytes(const parquet::ColumnChunkMetaData& chunk, const std::vector<ParquetPage>& pages,
                 double values) {
  if (const std::shared_ptr<parquet::SizeStatistics> sizes = chunk.size_statistics()) {
    const auto& bytes = sizes->unencoded_byte_array_data_bytes;
    if (bytes) return static_cast<double>(*bytes);
  }
  const bool has_dictionary = !pages.empty() && pages[0].is_dictionary && pages[0].values > 0;
  return has_dictionary ? values * pages[0].inflated_size / pages[0].values : 0;
}

Buffer PartOf(const Buffer& buffer, size_t offset, size_t size) {
  return {buffer.bytes.subspan(offset, size), buffer.owner};
}

/// All pages of a chunk, which are there.
void ReadEveryPage(const SparseFile& file, const ByteRange& range, int64_t values,
                   PageChunk* chunk) {
  const Buffer rest = file.From(range.offset);
  // Behind the chunk there are pages too: those of another column.
  const Buffer bytes = PartOf(rest, 0, std::min(rest.size(), static_cast<size_t>(range.length)));
  chunk->pages = ReadPages(bytes.bytes, values, range.offset);
  for (const ParquetPage& page : chunk->pages) {
    chunk->bytes.push_back(PartOf(bytes, page.offset, page.size));
  }
}

/// A page at a place that the offset index says.
ParquetPage ReadPlacedPage(const Buffer& bytes, const ByteRange& place, int64_t values) {
  const ParquetPage page = ReadPage(bytes.bytes, place.offset);
  if (!page.is_data || static_cast<int64_t>(page.size) != place.length || page.values != values) {
    ThrowMalformedPageIndex(fmt::format(
        "{} bytes with {} rows at byte offset {}, where there is {} of {} bytes with {} values",
        place.length, values, place.offset, page.is_data ? "a page" : "no data page", page.size,
        page.values));
  }
  return page;
}

/// The dictionary and the pages with some of the rows; of the others, how many values they have.
void ReadPlacedPages(const SparseFile& file, int64_t start, const PagePlaces& places,
                     std::span<const RowRange> rows, PageChunk* chunk) {
  const auto add = [&](ParquetPage page, int64_t offset, const Buffer& bytes) {
    page.offset = static_cast<size_t>(offset - start);
    chunk->pages.push_back(page);
    chunk->bytes.push_back(PartOf(bytes, 0, page.size));
  };
  if (start < places.RangeOf(0).offset) {
    const Buffer bytes = file.From(start);
    const ParquetPage page = ReadPage(bytes.bytes, start);
    if (page.is_dictionary) add(page, start, bytes);
  }
  const std::vector<bool> wanted = places.PagesWith(rows);
  for (size_t i = 0; i < places.size(); ++i) {
    const ByteRange place = places.RangeOf(i);
    const int64_t values = places.RowsOf(i).size();
    if (wanted[i]) {
      const Buffer bytes = file.From(place.offset);
      add(ReadPlacedPage(bytes, place, values), place.offset, bytes);
    } else {
      add({.is_data = true, .values = static_cast<int32_t>(values)}, place.offset, {});
    }
  }
}

/// Refuses values that need no bytes in the file, and too many in memory.
void CheckUnstored(double values, double width, double stored) {
  if (values * width <= kMaxUnstoredBytes + stored * kMaxPageInflation) return;
  ThrowUnsupported(
      fmt::format("{} values of {} bytes, which take {} in the file", values, width, stored));
}

}  // namespace

int64_t ChunkStart(const parquet::ColumnChunkMetaData& chunk) {
  const int64_t start = chunk.data_page_offset();
  const bool has_dictionary = chunk.has_dictionary_page() && chunk.dictionary_page_offset() > 0;
  return has_dictionary ? std::min(start, chunk.dictionary_page_offset()) : start;
}

ChunkPages ReadChunk(const parquet::ColumnChunkMetaData& chunk,
                     const parquet::ColumnDescriptor& column, const ByteRange& range,
                     const SparseFile& file, const PagePlaces* places,
                     std::span<const RowRange> rows) {
  if (chunk.type() != column.physical_type()) {
    ThrowInvalid(fmt::format("its chunk is of type {}, where the schema says {}",
                             parquet::TypeToString(chunk.type()),
                             parquet::TypeToString(column.physical_type())),
                 "the file may be damaged");
  }
  ChunkPages read{.chunk = {.codec = chunk.compression()}};
  if (places == nullptr) {
    ReadEveryPage(file, range, chunk.num_values(), &read.chunk);
  } else {
    ReadPlacedPages(file, range.offset, *places, rows, &read.chunk);
  }
  const std::vector<ParquetPage>& pages = read.chunk.pages;
  const double width = WidthOf(column);
  const double values = CountValues(pages);
  const size_t stored = pages.empty() ? 0 : pages.back().offset + pages.back().size;
  const bool is_repeated = column.max_repetition_level() > 0;
  CheckUnstored(is_repeated ? values : 1, width, static_cast<double>(stored));
  if (values != static_cast<double>(chunk.num_values())) {
    ThrowInvalid(
        fmt::format("pages of {} values, where the footer says {}", values, chunk.num_values()),
        "the file may be damaged");
  }
  read.decoded_bytes =
      std::max(static_cast<double>(chunk.total_uncompressed_size()), values * width);
  if (column.physical_type() == parquet::Type::BYTE_ARRAY) {
    read.decoded_bytes = std::max(read.decoded_bytes, TextBytes(chunk, pages, values));
  }
  return read;
}

std::vector<ByteRange> ChunkRanges(const parquet::ColumnChunkMetaData& chunk,
                                   const PagePlaces& places, std::span<const RowRange> rows) {
  std::vector<ByteRange> ranges;
  const int64_t start = ChunkStart(chunk);
  const int64_t data = places.RangeOf(0).offset;
  if (start < data) ranges.push_back({start, data - start});
  const std::vector<bool> wanted = places.PagesWith(rows);
  for (size_t i = 0; i < places.size(); ++i) {
    if (wanted[i]) ranges.push_back(places.RangeOf(i));
  }
  return ranges;
}

void RemoveEmptyPages(const PageChunk& chunk, int64_t start, SparseFile* file) {
  if (std::none_of(chunk.pages.begin(), chunk.pages.end(), IsEmpty)) return;
  file->Replace(start, WithoutEmptyPages(file->From(start).bytes, chunk.pages));
}

}  // namespace nunatak
