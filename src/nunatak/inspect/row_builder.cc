#include "nunatak/inspect/row_builder.h"

#include <arrow/array.h>
#include <arrow/array/builder_base.h>
#include <arrow/type.h>

#include "nunatak/inspect/prune_value.h"
#include "nunatak/read/arrow_schema.h"
#include "nunatak/read/decode/arrow_error.h"
#include "nunatak/read/project/append_value.h"

namespace nunatak {

arrow::ArrayVector RowBuilder::Columns(std::span<const Field> columns,
                                       std::span<const uint32_t> wanted) const {
  arrow::ArrayVector arrays;
  for (const Field& column : columns) arrays.push_back(Column(column, wanted));
  return arrays;
}

std::shared_ptr<arrow::Array> RowBuilder::Column(const Field& column,
                                                 std::span<const uint32_t> wanted) const {
  size_t place = 0;
  while (schema_.fields()[place].id != column.id) ++place;
  const Type& type = schema_.fields()[place].type;
  const auto builder = ValueOrThrow(arrow::MakeBuilder(ArrowTypeOf(column.type)));
  for (const uint32_t row : wanted) {
    AppendValue(column.type, PruneValue(type, column.type, rows_[row][place]), *builder);
  }
  return ValueOrThrow(builder->Finish());
}

}  // namespace nunatak
