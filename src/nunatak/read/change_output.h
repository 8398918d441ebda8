#pragma once

#include <arrow/type_fwd.h>

#include <memory>
#include <vector>

#include "nunatak/expr/bound_filter.h"
#include "nunatak/iceberg/change_plan.h"
#include "nunatak/read/changed_rows.h"
#include "nunatak/read/row_filter.h"
#include "nunatak/table/schema.h"

namespace nunatak {

/// What changed rows come out as.
class ChangeOutput {
 public:
  /// `projection` and `filter` are over the columns of changes and of the rows themselves, which
  /// `columns` has all of.
  ChangeOutput(const Schema& changes, std::vector<Field> columns, Schema projection,
               std::shared_ptr<const BoundFilter> filter);

  /// What rows have to be read with.
  Schema columns() const { return Schema(0, columns_); }

  /// The changes that pass the filter; null when none does.
  std::shared_ptr<arrow::RecordBatch> Finish(
      ChangedRows rows, const std::vector<iceberg::ChangedSnapshot>& snapshots) const;

 private:
  std::vector<Field> columns_;
  Schema projection_;
  std::shared_ptr<arrow::Schema> schema_;
  /// Of each field of the projection, which column it is, those of changes counted behind the
  /// others.
  std::vector<size_t> sources_;
  /// Of all columns, those of changes behind the others.
  std::vector<Field> all_;
  std::shared_ptr<const BoundFilter> filter_;
  std::vector<FieldPath> filter_paths_;
};

}  // namespace nunatak
