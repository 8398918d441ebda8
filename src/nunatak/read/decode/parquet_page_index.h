#pragma once

#include <parquet/metadata.h>
#include <parquet/page_index.h>
#include <parquet/properties.h>
#include <parquet/schema.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "nunatak/base/bytes.h"
#include "nunatak/io/file_io.h"
#include "nunatak/read/decode/parquet_page_places.h"
#include "nunatak/read/decode/section_stats.h"

namespace nunatak {

/// Where the page index of a column chunk lies: the ranges of its column index and its offset
/// index; nullopt when the chunk does not have both.
struct PageIndexRanges {
  ByteRange column_index;
  ByteRange offset_index;
};
std::optional<PageIndexRanges> PageIndexRangesOf(const parquet::ColumnChunkMetaData& chunk,
                                                 int64_t file_size);

[[noreturn]] void ThrowMalformedPageIndex(const std::string& why);

/// What a file records of the pages of one column chunk (Parquet, "Page Index").
class ChunkPageIndex {
 public:
  /// `rows` is the number of the row group. Throws `ErrorCode::kInvalid` for an index that is
  /// malformed.
  ChunkPageIndex(const parquet::ColumnDescriptor& column, ByteSpan column_index,
                 ByteSpan offset_index, int64_t rows, const parquet::ReaderProperties& properties);

  const PagePlaces& places() const { return places_; }
  /// The statistics of the page that holds a row; their counts are of that page's rows.
  LeafStats StatsAt(int64_t row) const;

 private:
  const parquet::ColumnDescriptor& column_;
  PagePlaces places_;
  std::unique_ptr<parquet::ColumnIndex> statistics_;
};

}  // namespace nunatak
