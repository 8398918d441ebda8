#pragma once

#include <arrow/type_fwd.h>

#include <memory>
#include <span>
#include <vector>

#include "nunatak/read/changed_rows.h"
#include "nunatak/read/field_path.h"
#include "nunatak/read/row_encoder.h"
#include "nunatak/table/schema.h"

namespace nunatak {

/// The columns by which changed rows are the same row.
struct RowKey {
  std::vector<Field> fields;
  /// Where they lie in the batches.
  std::vector<FieldPath> paths;

  std::vector<std::shared_ptr<arrow::Array>> ColumnsOf(const ChangedRows& rows) const;
  RowEncoder EncoderOf(const ChangedRows& rows) const;
};

/// The key of some fields of `schema`, over batches whose columns are `columns`, which have them.
RowKey MakeRowKey(const Schema& schema, std::span<const int32_t> ids,
                  std::span<const Field> columns);

}  // namespace nunatak
