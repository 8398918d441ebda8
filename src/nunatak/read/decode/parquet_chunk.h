#pragma once

#include <parquet/metadata.h>
#include <parquet/schema.h>

#include <cstdint>

#include "nunatak/read/decode/sparse_file.h"

namespace nunatak {

/// The offset of a column chunk's first byte.
int64_t ChunkStart(const parquet::ColumnChunkMetaData& chunk);

/// Makes a column chunk, whose bytes `file` holds, ready for Arrow's reader: its pages are checked
/// (`ReadPages`), and data pages without values, at which that reader stops, are taken out. Returns
/// about how many bytes the chunk's values take decoded. Throws `ErrorCode::kUnsupported` where
/// values that need no bytes in the file would take more than a gigabyte at a time: those of one
/// row, or of lists, the whole chunk.
double PrepareChunk(const parquet::ColumnChunkMetaData& chunk,
                    const parquet::ColumnDescriptor& column, SparseFile* file);

}  // namespace nunatak
