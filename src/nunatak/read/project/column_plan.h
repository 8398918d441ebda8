#pragma once

#include <arrow/type_fwd.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "nunatak/read/variant/variant_layout.h"
#include "nunatak/table/schema.h"

namespace nunatak {

/// What a column of longs has in place of its nulls.
struct NullFill {
  int64_t value = 0;
  /// Whether the row's position in the file is added.
  bool add_position = false;
};

/// How one field of the projection comes out of one data file.
struct ColumnPlan {
  Field field;
  /// `ArrowTypeOf(field.type)`.
  std::shared_ptr<arrow::DataType> type;
  /// Whether the file has the field; otherwise every row has the constant.
  bool from_file = false;
  /// A null pointer for a constant null.
  std::shared_ptr<arrow::Scalar> constant;
  /// The place among the fields of its parent in the file, and among those that are decoded.
  size_t file_index = 0;
  int decoded_index = 0;
  /// Of a nested field that the file has: a struct's fields in the projection's order, a list's
  /// element, a map's key and value.
  std::vector<ColumnPlan> children;
  /// Of a variant that the file has; null for everything else.
  std::shared_ptr<const VariantLayout> variant;
  /// Of metadata columns that differ from row to row: what stands where the file has no value, and
  /// whether the column says which rows are deleted.
  std::optional<NullFill> null_fill = std::nullopt;
  bool marks_deleted = false;
};

}  // namespace nunatak
