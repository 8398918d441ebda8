#pragma once

#include <cstdint>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/table/transform.h"

namespace nunatak {

enum class SortDirection : uint8_t { kAscending, kDescending };
enum class NullOrder : uint8_t { kNullsFirst, kNullsLast };

struct NUNATAK_EXPORT SortField {
  std::vector<int32_t> source_ids;
  Transform transform;
  SortDirection direction = SortDirection::kAscending;
  NullOrder null_order = NullOrder::kNullsFirst;

  friend NUNATAK_EXPORT bool operator==(const SortField&, const SortField&) = default;
};

/// A sort order (specification, "Sorting"); order 0 is unsorted.
struct NUNATAK_EXPORT SortOrder {
  int32_t order_id = 0;
  std::vector<SortField> fields;

  friend NUNATAK_EXPORT bool operator==(const SortOrder&, const SortOrder&) = default;
};

}  // namespace nunatak
