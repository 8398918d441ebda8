#pragma once

#include <arrow/type_fwd.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "nunatak/inspect/metadata_rows.h"
#include "nunatak/table/schema.h"
#include "nunatak/table/value.h"

namespace nunatak {

/// Rows of a metadata table that are put together as values.
class RowBuilder final : public MetadataRows {
 public:
  explicit RowBuilder(Schema schema) : schema_(std::move(schema)) {}

  /// A row with all of the schema's columns.
  void Add(Value::List row) { rows_.push_back(std::move(row)); }

  size_t size() const override { return rows_.size(); }
  std::vector<std::shared_ptr<arrow::Array>> Columns(
      std::span<const Field> columns, std::span<const uint32_t> wanted) const override;

 private:
  std::shared_ptr<arrow::Array> Column(const Field& column, std::span<const uint32_t> wanted) const;

  Schema schema_;
  std::vector<Value::List> rows_;
};

}  // namespace nunatak
