#include "nunatak/read/row_key.h"

#include <arrow/array.h>
#include <arrow/record_batch.h>

#include "nunatak/read/decode/arrow_error.h"

namespace nunatak {

std::vector<std::shared_ptr<arrow::Array>> RowKey::ColumnsOf(const ChangedRows& rows) const {
  std::vector<std::shared_ptr<arrow::Array>> columns;
  for (const FieldPath& path : paths) {
    std::shared_ptr<arrow::Array> column = rows.batch->column(static_cast<int>(path.column));
    for (const int child : path.children) {
      column =
          ValueOrThrow(static_cast<const arrow::StructArray&>(*column).GetFlattenedField(child));
    }
    columns.push_back(std::move(column));
  }
  return columns;
}

RowEncoder RowKey::EncoderOf(const ChangedRows& rows) const {
  return RowEncoder(fields, ColumnsOf(rows));
}

RowKey MakeRowKey(const Schema& schema, std::span<const int32_t> ids,
                  std::span<const Field> columns) {
  RowKey key;
  for (const int32_t id : ids) {
    key.fields.push_back(*schema.FindField(id));
    FindPath(schema, id, columns, &key.paths.emplace_back());
  }
  return key;
}

}  // namespace nunatak
