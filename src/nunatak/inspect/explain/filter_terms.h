#pragma once

#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/expr/bound_filter.h"

namespace nunatak {

/// The terms of a filter: what its outermost AND joins, each as a filter over the same columns. A
/// row passes the filter when it passes every term. None for a filter that is true.
NUNATAK_EXPORT std::vector<BoundFilter> TermsOf(const BoundFilter& filter);

/// The leaves of a filter, in its order, each as a filter over the same columns.
NUNATAK_EXPORT std::vector<BoundFilter> LeavesOf(const BoundFilter& filter);

}  // namespace nunatak
