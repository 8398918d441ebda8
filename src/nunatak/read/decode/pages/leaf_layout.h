#pragma once

#include <arrow/type_fwd.h>
#include <parquet/schema.h>

#include <memory>
#include <optional>

#include "nunatak/read/decode/pages/buffer_pool.h"
#include "nunatak/read/decode/pages/leaf_decoder.h"
#include "nunatak/read/decode/pages/value_output.h"

namespace nunatak {

/// How a column without repetition levels is stored, when it can be decoded page by page to `type`;
/// nullopt for what only Arrow's reader does.
std::optional<LeafLayout> LeafLayoutOf(const parquet::ColumnDescriptor& column,
                                       const arrow::DataType& type);

/// What its values become, in memory of `pool`.
std::unique_ptr<ValueOutput> MakeValueOutput(const parquet::ColumnDescriptor& column,
                                             const std::shared_ptr<arrow::DataType>& type,
                                             const std::shared_ptr<BufferPool>& pool);

/// Whether all of the pages are in encodings that `LeafDecoder` reads.
bool CanReadPages(const LeafLayout& layout, const std::vector<ParquetPage>& pages);

}  // namespace nunatak
