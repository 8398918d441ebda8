#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>
#include <memory>

#include "nunatak/read/decode/row_selection.h"

namespace nunatak {

/// Decodes a field over the rows of one row group, from the first on.
class FieldDecoder {
 public:
  virtual ~FieldDecoder() = default;
  /// The next `rows.total()` rows, of which those come out that are selected. An error names the
  /// column.
  virtual std::shared_ptr<arrow::ArrayData> Read(const RowSelection& rows) = 0;
  /// Passes over rows.
  virtual void Skip(int64_t rows) = 0;
};

}  // namespace nunatak
