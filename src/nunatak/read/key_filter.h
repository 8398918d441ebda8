#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "nunatak/read/equality_key.h"
#include "nunatak/read/read_columns.h"
#include "nunatak/read/task_deletes.h"

namespace nunatak {

/// Equality deletes of one scope over the batches of a file.
class KeyFilter {
 public:
  /// Adds what `columns` lacks of the fields that are compared.
  KeyFilter(KeyDeletes deletes, ReadColumns* columns)
      : deletes_(std::move(deletes)), key_(deletes_.scope->fields(), columns) {}

  /// Sets `deleted[i]` to 1 for each row i that is deleted; rows that are marked already are not
  /// looked at.
  void Mark(std::span<const std::shared_ptr<arrow::Array>> columns,
            std::span<uint8_t> deleted) const;

  /// Where the fields that are compared lie in the columns.
  std::span<const FieldPath> paths() const { return key_.paths(); }

 private:
  KeyDeletes deletes_;
  EqualityKeyColumns key_;
};

}  // namespace nunatak
