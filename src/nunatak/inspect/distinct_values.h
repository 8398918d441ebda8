#pragma once

#include <cstdint>
#include <map>

#include "nunatak/iceberg/table.h"

namespace nunatak {

struct DistinctEstimate {
  int64_t values = 0;
  /// The snapshot that the estimate was made of.
  int64_t snapshot_id = 0;
};

/// Estimates of the numbers of distinct values by field id: those of the snapshot, and of its
/// nearest ancestors where it has none (Puffin specification, "apache-datasketches-theta-v1"). The
/// estimate is the property `ndv`, of the metadata or else of the Puffin file's footer.
std::map<int32_t, DistinctEstimate> DistinctValues(const iceberg::Table& table,
                                                   const iceberg::Snapshot* snapshot);

}  // namespace nunatak
