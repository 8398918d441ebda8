#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "nunatak/expr/bound_filter.h"
#include "nunatak/read/field_path.h"

namespace nunatak {

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
