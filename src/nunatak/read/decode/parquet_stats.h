#pragma once

#include <parquet/metadata.h>

#include <string>

#include "nunatak/read/decode/section_stats.h"

namespace nunatak {

/// The statistics of a column chunk, as far as its writer can be trusted with them and the order of
/// its type is defined.
LeafStats LeafStatsOf(const parquet::ColumnChunkMetaData& chunk,
                      const parquet::ColumnDescriptor& column);

/// A bound that the file records in the plain encoding, as a binary single value.
std::string SingleValueOf(const parquet::ColumnDescriptor& column, std::string plain);

}  // namespace nunatak
