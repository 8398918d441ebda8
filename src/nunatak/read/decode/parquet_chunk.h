#pragma once

#include <parquet/metadata.h>
#include <parquet/schema.h>

#include <cstdint>
#include <span>
#include <vector>

#include "nunatak/read/decode/pages/leaf_decoder.h"
#include "nunatak/read/decode/parquet_page_places.h"
#include "nunatak/read/decode/sparse_file.h"

namespace nunatak {

/// The offset of a column chunk's first byte.
int64_t ChunkStart(const parquet::ColumnChunkMetaData& chunk);

/// The pages of a column chunk, whose bytes at `range` `file` holds, and about how many bytes its
/// values take decoded. The pages are checked (`ReadPages`). With `places`, the bytes of pages
/// without any of the rows need not be there. Throws `ErrorCode::kInvalid` where those are not what
/// the pages are, and `ErrorCode::kUnsupported` where values that need no bytes in the file would
/// take more than a gigabyte at a time: those of one row, or of lists, the whole chunk.
struct ChunkPages {
  PageChunk chunk;
  double decoded_bytes = 0;
};
ChunkPages ReadChunk(const parquet::ColumnChunkMetaData& chunk,
                     const parquet::ColumnDescriptor& column, const ByteRange& range,
                     const SparseFile& file, const PagePlaces* places = nullptr,
                     std::span<const RowRange> rows = {});

/// The ranges of a chunk that hold its dictionary and the pages with some of the rows, in order.
std::vector<ByteRange> ChunkRanges(const parquet::ColumnChunkMetaData& chunk,
                                   const PagePlaces& places, std::span<const RowRange> rows);

/// Takes data pages without values, at which Arrow's reader stops, out of a chunk of `file` that
/// begins at `start`.
void RemoveEmptyPages(const PageChunk& chunk, int64_t start, SparseFile* file);

}  // namespace nunatak
