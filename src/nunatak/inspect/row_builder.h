#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "nunatak/table/schema.h"
#include "nunatak/table/value.h"

namespace nunatak {

/// Puts rows of a metadata table together as Arrow batches: only the columns that are wanted, which
/// are fields of the table's schema, possibly pruned.
class RowBuilder {
 public:
  RowBuilder(const Schema& schema, std::span<const Field> columns);
  ~RowBuilder();

  /// A row with all of the schema's columns.
  void Add(const Value::List& row);

  /// For those who fill the wanted columns on their own: one value into each, then `EndRow`.
  std::span<const Field> columns() const { return columns_; }
  arrow::ArrayBuilder& column(size_t i) { return *builders_[i]; }
  void EndRow();

  /// What was added since the last call, in batches of a bounded number of rows.
  std::vector<std::shared_ptr<arrow::RecordBatch>> TakeBatches();

 private:
  void Flush();

  Schema schema_;
  std::vector<Field> columns_;
  /// The place of each wanted column in the schema.
  std::vector<size_t> places_;
  std::shared_ptr<arrow::Schema> arrow_schema_;
  std::vector<std::unique_ptr<arrow::ArrayBuilder>> builders_;
  std::vector<std::shared_ptr<arrow::RecordBatch>> batches_;
  int64_t rows_ = 0;
};

}  // namespace nunatak
