#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "nunatak/expr/bound_filter.h"
#include "nunatak/inspect/metadata_rows.h"
#include "nunatak/read/row_filter.h"
#include "nunatak/table/schema.h"

namespace nunatak {

/// Makes batches of the rows of a metadata table that pass a filter: first the columns that the
/// filter looks at, then the rest for the rows that are left. Thread-safe.
class PassingRows {
 public:
  /// `projection` is `schema` or a part of it; the filter is bound to `schema`.
  PassingRows(const Schema& schema, const Schema& projection, BoundFilter filter);

  const std::shared_ptr<arrow::Schema>& schema() const { return arrow_schema_; }
  /// The fields of the schema that are asked for, each pruned: the projection, and what the filter
  /// looks at.
  std::span<const Field> columns() const { return columns_; }

  /// The batch of the rows that pass; null when none does.
  std::shared_ptr<arrow::RecordBatch> Apply(const MetadataRows& rows) const;

 private:
  std::vector<uint32_t> Passing(const MetadataRows& rows) const;
  std::span<const Field> projection() const { return std::span(columns_).first(projected_); }
  std::span<const Field> filtered_by() const { return std::span(columns_).subspan(projected_); }

  std::shared_ptr<arrow::Schema> arrow_schema_;
  std::vector<Field> columns_;
  size_t projected_;
  /// Absent when every row passes.
  std::optional<RowFilter> filter_;
};

}  // namespace nunatak
