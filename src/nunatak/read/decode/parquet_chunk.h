#pragma once

#include <parquet/metadata.h>
#include <parquet/schema.h>

#include <cstdint>

#include "nunatak/read/decode/pages/leaf_decoder.h"
#include "nunatak/read/decode/sparse_file.h"

namespace nunatak {

/// The offset of a column chunk's first byte.
int64_t ChunkStart(const parquet::ColumnChunkMetaData& chunk);

/// The pages of a column chunk, whose bytes `file` holds, and about how many bytes its values take
/// decoded. The pages are checked (`ReadPages`). Throws `ErrorCode::kUnsupported` where values that
/// need no bytes in the file would take more than a gigabyte at a time: those of one row, or of
/// lists, the whole chunk.
struct ChunkPages {
  PageChunk chunk;
  double decoded_bytes = 0;
};
ChunkPages ReadChunk(const parquet::ColumnChunkMetaData& chunk,
                     const parquet::ColumnDescriptor& column, const SparseFile& file);

/// Takes data pages without values, at which Arrow's reader stops, out of a chunk of `file` that
/// begins at `start`.
void RemoveEmptyPages(const PageChunk& chunk, int64_t start, SparseFile* file);

}  // namespace nunatak
