#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/table/schema.h"

namespace nunatak {

/// Turns rows into bytes that are equal exactly when the rows are, in all of some columns: nulls
/// equal nulls, reals compare by their bits with all NaNs alike, lists by their order, maps without
/// it, and variants by what they say, not by how they are encoded. The columns have the same types
/// wherever rows are compared.
class NUNATAK_EXPORT RowEncoder {
 public:
  /// `columns[i]` was read as `ArrowTypeOf(fields[i].type)`.
  RowEncoder(std::span<const Field> fields, std::span<const std::shared_ptr<arrow::Array>> columns);
  ~RowEncoder();
  RowEncoder(RowEncoder&&) noexcept;

  void Append(int64_t row, std::string* out) const;

 private:
  struct Cell;
  std::vector<Cell> cells_;
};

}  // namespace nunatak
