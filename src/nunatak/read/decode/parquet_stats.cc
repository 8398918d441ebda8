#include "nunatak/read/decode/parquet_stats.h"

#include <parquet/schema.h>
#include <parquet/statistics.h>

#include <algorithm>
#include <utility>

namespace nunatak {

namespace {

bool IsDecimalInIntegers(const parquet::ColumnDescriptor& column) {
  const bool integers = column.physical_type() == parquet::Type::INT32 ||
                        column.physical_type() == parquet::Type::INT64;
  return integers && column.logical_type() != nullptr && column.logical_type()->is_decimal();
}

}  // namespace

/// Parquet's plain encoding is the single-value form but for decimals in integers, which are
/// little-endian where the specification has them big-endian.
std::string SingleValueOf(const parquet::ColumnDescriptor& column, std::string plain) {
  if (IsDecimalInIntegers(column)) std::reverse(plain.begin(), plain.end());
  return plain;
}

LeafStats LeafStatsOf(const parquet::ColumnChunkMetaData& chunk,
                      const parquet::ColumnDescriptor& column) {
  LeafStats stats;
  const std::shared_ptr<parquet::EncodedStatistics> recorded = chunk.encoded_statistics();
  if (recorded == nullptr) return stats;
  if (recorded->has_min) stats.lower_bound = SingleValueOf(column, recorded->min());
  if (recorded->has_max) stats.upper_bound = SingleValueOf(column, recorded->max());
  if (recorded->has_null_count) stats.null_count = recorded->null_count;
  return stats;
}

}  // namespace nunatak
