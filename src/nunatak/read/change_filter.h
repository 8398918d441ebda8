#pragma once

#include <functional>
#include <string_view>

#include "nunatak/expr/bound_filter.h"
#include "nunatak/expr/expr.h"
#include "nunatak/table/schema.h"

namespace nunatak {

/// A filter of changes in two parts, both of which a change passes.
struct ChangeFilter {
  /// Bound to the schema that rows are read with: what files and their rows are chosen by, before
  /// rows are compared with each other.
  BoundFilter before;
  /// Bound to the schema of changes: what the changes themselves are chosen by.
  BoundFilter after;
};

/// How a filter is written.
struct FilterText {
  std::string_view text;
  bool case_sensitive = true;
};

/// Parts a filter over `WithChangeColumns(read_schema)`: terms go before where `may_go_before` says
/// so of all their columns, by field id. Change types are compared in lower case.
/// Throws what `Bind` throws.
ChangeFilter PartFilter(Expr filter, const FilterText& text, const Schema& read_schema,
                        const std::function<bool(int32_t)>& may_go_before);

}  // namespace nunatak
