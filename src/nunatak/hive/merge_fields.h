#pragma once

#include <string_view>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/table/schema.h"

namespace nunatak::hive {

/// Adds the columns of one more file to those so far, by name at every depth; new ones come after
/// the others. Types that differ become the one that both promote to: int and long, float and
/// double, decimals of one scale, a type and unknown, fixed of several lengths and binary. Throws
/// `ErrorCode::kInvalid` for others, naming the column and both types.
NUNATAK_EXPORT void MergeFields(const std::vector<Field>& more, std::vector<Field>* fields);

/// Whether values of the first primitive type are read as the second without loss.
NUNATAK_EXPORT bool Promotes(const Type& from, const Type& to);

/// Gives the fields ids from 1 on, those of one level before those nested in them, as Iceberg does
/// for a new table.
NUNATAK_EXPORT std::vector<Field> WithFreshIds(const std::vector<Field>& fields);

}  // namespace nunatak::hive
