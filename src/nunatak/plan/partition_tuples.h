#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/table/value.h"

namespace nunatak {

/// Numbers the distinct partition tuples of a group, so that what depends on the partition alone is
/// worked out once for each. Tuples are the same when their values have the same form and the same
/// bits. Bytes of the values are not copied.
class NUNATAK_EXPORT PartitionTuples {
 public:
  explicit PartitionTuples(size_t field_count) : columns_(field_count) {}

  /// The number of a tuple of `field_count` values: a new one, or that of the same tuple before.
  uint32_t NumberOf(std::span<const ValueView> tuple);

  size_t size() const { return size_; }
  /// Per field the values of the distinct tuples.
  const std::vector<std::vector<ValueView>>& columns() const { return columns_; }

 private:
  bool IsTuple(uint32_t number, std::span<const ValueView> tuple) const;
  void Grow();

  std::vector<std::vector<ValueView>> columns_;
  std::vector<uint64_t> hashes_;
  size_t size_ = 0;
  /// Open addressing, a power of two in size: the number of a tuple plus one, or 0.
  std::vector<uint32_t> table_;
};

}  // namespace nunatak
