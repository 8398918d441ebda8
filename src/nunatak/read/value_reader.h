#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>

#include "nunatak/table/type.h"
#include "nunatak/table/value.h"

namespace nunatak {

/// Reads the cells of an Arrow column that was read as `ArrowTypeOf(type)`. Of a nested column it
/// tells no more than whether a cell is null.
/// Bytes in the values point into the column, which must outlive the reader.
class ValueReader {
 public:
  ValueReader(const Type& type, const arrow::Array& column) : id_(type.id()), column_(&column) {}

  ValueView At(int64_t row) const;

 private:
  TypeId id_;
  const arrow::Array* column_;
};

}  // namespace nunatak
