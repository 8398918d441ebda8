#pragma once

#include <arrow/type_fwd.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "nunatak/read/value_reader.h"
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

/// Reads one field over the rows of a batch.
class FieldReader {
 public:
  /// `type` is the field's.
  FieldReader(const Type& type, const FieldPath& path,
              std::span<const std::shared_ptr<arrow::Array>> columns);

  /// The value of a row: null in a null struct. Bytes are valid as long as this reader.
  ValueView At(int64_t row) const;

 private:
  std::shared_ptr<arrow::Array> Descend(const FieldPath& path,
                                        std::span<const std::shared_ptr<arrow::Array>> columns);

  /// The structs above the leaf that have nulls.
  std::vector<std::shared_ptr<arrow::Array>> structs_;
  std::shared_ptr<arrow::Array> leaf_;
  ValueReader reader_;
};

}  // namespace nunatak
