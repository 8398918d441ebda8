#pragma once

#include <arrow/type_fwd.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "nunatak/table/schema.h"

namespace nunatak {

/// Rows of a metadata table, whose columns are made when they are asked for: those of a filter for
/// all rows, the others for the rows that pass it.
class MetadataRows {
 public:
  virtual ~MetadataRows() = default;
  virtual size_t size() const = 0;
  /// Columns of the rows `wanted`, which ascend. Each is a field of the table's schema, possibly
  /// pruned, and its array has its Arrow type.
  virtual std::vector<std::shared_ptr<arrow::Array>> Columns(
      std::span<const Field> columns, std::span<const uint32_t> wanted) const = 0;
};

/// Gives some thousand rows at a time; null after the last of them.
using MetadataRowStream = std::function<std::shared_ptr<const MetadataRows>()>;

}  // namespace nunatak
