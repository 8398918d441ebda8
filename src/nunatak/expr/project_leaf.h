#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "nunatak/expr/bound_tree.h"
#include "nunatak/table/transform.h"

namespace nunatak {

/// The condition that a partition value meets whenever some row of the partition may pass a leaf,
/// other than a null test. It speaks of partition values that are not null, in comparisons alone,
/// or is false; nullopt when the partition value tells nothing. `column` is that of the partition
/// field in the result.
std::optional<BoundNode> ProjectLeaf(const Transform& transform, const Type& source, Op op,
                                     std::span<const Value> literals, uint32_t column);

}  // namespace nunatak
