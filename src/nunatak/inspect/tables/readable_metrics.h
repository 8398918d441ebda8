#pragma once

#include <cstdint>
#include <vector>

#include "nunatak/inspect/tables/file_column.h"
#include "nunatak/table/schema.h"

namespace nunatak {

/// The metrics of a file as a struct with a field for each primitive leaf of a schema, by its
/// dotted path: counts, and bounds as values of the column's type. Immutable, and thread-safe.
class ReadableMetrics {
 public:
  /// Field ids are given from `first_id` on.
  ReadableMetrics(const Schema& schema, int32_t first_id);

  const Field& field() const { return field_; }

  /// `pruned` is `field().type` or a part of it.
  FileColumnPtr MakeColumn(const Type& pruned) const;

 private:
  struct Leaf {
    int32_t field_id = 0;
    Type type;
  };

  /// The leaf whose struct has this field id.
  const Leaf& LeafOf(int32_t id) const;

  int32_t first_id_;
  /// Sorted by name.
  std::vector<Leaf> leaves_;
  Field field_;
};

}  // namespace nunatak
