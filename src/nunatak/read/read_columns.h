#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nunatak/read/field_path.h"
#include "nunatak/table/schema.h"

namespace nunatak {

/// The columns that are read of a file: those that come out, then those that only filters and
/// deletes look at.
class ReadColumns {
 public:
  explicit ReadColumns(std::span<const Field> projection) : projection_(projection) {}

  /// Where the field `id` of `schema` lies among the columns; adds what is missing, pruned to the
  /// fields that were asked for. Columns that schemas share by id have one type in all of them.
  FieldPath Require(const Schema& schema, int32_t id);
  /// What was added; a column's place is behind the projection's.
  std::span<const Field> added() const { return added_; }

 private:
  std::span<const Field> projection_;
  std::vector<Field> added_;
};

}  // namespace nunatak
