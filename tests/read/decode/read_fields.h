#pragma once

#include <arrow/api.h>

#include "nunatak/read/decode/file_field.h"
#include "nunatak/read/decode/row_selection.h"

namespace nunatak {

/// All decoded fields of a decoder over the selected of its current rows.
template <typename Decoder>
std::shared_ptr<arrow::RecordBatch> ReadFields(Decoder& decoder, const RowSelection& rows) {
  arrow::FieldVector fields;
  arrow::ArrayVector columns;
  for (const FileField& field : decoder.fields()) {
    if (!field.selected) continue;
    columns.push_back(decoder.Read(static_cast<int>(columns.size()), rows));
    fields.push_back(arrow::field(field.name, columns.back()->type()));
  }
  return arrow::RecordBatch::Make(arrow::schema(fields), rows.count(), columns);
}

}  // namespace nunatak
