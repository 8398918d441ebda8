#pragma once

#include <arrow/type_fwd.h>
#include <parquet/arrow/schema.h>
#include <parquet/metadata.h>

#include <functional>
#include <memory>
#include <vector>

#include "nunatak/read/decode/field_decoder.h"
#include "nunatak/read/decode/file_field.h"
#include "nunatak/read/decode/pages/buffer_pool.h"
#include "nunatak/read/decode/pages/leaf_decoder.h"

namespace nunatak {

/// The chunk of a leaf in the row group, by the leaf's number.
using ChunkOfLeaf = std::function<PageChunk(int leaf)>;

/// Decodes the selected leaves of a field page by page: primitive fields and structs of such. Null
/// where something of it is only for Arrow's reader: then its chunks may have been asked for.
std::unique_ptr<FieldDecoder> MakePageFieldDecoder(const parquet::arrow::SchemaField& schema,
                                                   const FileField& field,
                                                   const parquet::SchemaDescriptor& columns,
                                                   const ChunkOfLeaf& chunk_of, bool verify_crc,
                                                   const std::shared_ptr<BufferPool>& pool);

/// The selected leaves of a field that `MakePageFieldDecoder` decodes, by the encodings that a row
/// group records; none where something of it is for Arrow's reader.
std::vector<int> PagedLeavesOf(const FileField& field, const parquet::RowGroupMetaData& group);

}  // namespace nunatak
