#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "nunatak/delta/table_schema.h"
#include "nunatak/plan/partition_tuples.h"

namespace nunatak::delta {

/// The partition tuples of files, and which of them is whose.
struct PartitionNumbers {
  PartitionTuples tuples;
  std::vector<uint32_t> numbers;
};

/// `texts` has, per partition column, one text for each of `file_count` files; null data for null.
/// Bytes of the values are not copied. Throws `ErrorCode::kInvalid` for a partition value that is
/// none of its column's type.
PartitionNumbers NumberPartitions(const TableSchema& table,
                                  const std::vector<std::vector<std::string_view>>& texts,
                                  size_t file_count);

}  // namespace nunatak::delta
