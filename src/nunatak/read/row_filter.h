#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "nunatak/expr/bound_filter.h"
#include "nunatak/table/schema.h"

namespace nunatak {

/// A field inside the columns of a batch: a column, then the child of each struct on the way down.
struct FieldPath {
  size_t column = 0;
  std::vector<int> children;
};

/// Where the field `id` of `schema` lies among `columns`, which are fields of that schema, possibly
/// pruned; false when they do not have it.
bool FindPath(const Schema& schema, int32_t id, std::span<const Field> columns, FieldPath* path);

/// The residual filter of a task over batches of its file.
class RowFilter {
 public:
  /// `paths[i]` is where `filter->columns[i]` lies in the batches' columns.
  RowFilter(std::shared_ptr<const BoundFilter> filter, std::vector<FieldPath> paths)
      : filter_(std::move(filter)), paths_(std::move(paths)) {}

  /// Sets `dropped[i]` to 1 for each row i that does not pass; rows that are dropped already are
  /// not looked at. A field of a null struct is null.
  void Apply(std::span<const std::shared_ptr<arrow::Array>> columns,
             std::span<uint8_t> dropped) const;

  std::span<const FieldPath> paths() const { return paths_; }

 private:
  std::shared_ptr<const BoundFilter> filter_;
  std::vector<FieldPath> paths_;
};

}  // namespace nunatak
