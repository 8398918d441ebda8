#include "nunatak/inspect/row_builder.h"

#include <arrow/array/builder_base.h>
#include <arrow/builder.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>

#include <utility>

#include "nunatak/inspect/prune_value.h"
#include "nunatak/read/arrow_schema.h"
#include "nunatak/read/decode/arrow_error.h"
#include "nunatak/read/project/append_value.h"

namespace nunatak {

namespace {

constexpr int64_t kBatchRows = 8192;

}  // namespace

RowBuilder::RowBuilder(const Schema& schema, std::span<const Field> columns)
    : schema_(schema), columns_(columns.begin(), columns.end()) {
  arrow::FieldVector fields;
  for (const Field& column : columns_) {
    size_t place = 0;
    while (schema_.fields()[place].id != column.id) ++place;
    places_.push_back(place);
    fields.push_back(ArrowFieldOf(column));
    builders_.push_back(ValueOrThrow(arrow::MakeBuilder(fields.back()->type())));
  }
  arrow_schema_ = arrow::schema(std::move(fields));
}

RowBuilder::~RowBuilder() = default;

void RowBuilder::Add(const Value::List& row) {
  for (size_t i = 0; i < columns_.size(); ++i) {
    const Type& type = schema_.fields()[places_[i]].type;
    AppendValue(columns_[i].type, PruneValue(type, columns_[i].type, row[places_[i]]), column(i));
  }
  EndRow();
}

void RowBuilder::EndRow() {
  if (++rows_ == kBatchRows) Flush();
}

void RowBuilder::Flush() {
  arrow::ArrayVector arrays;
  for (const auto& builder : builders_) arrays.push_back(ValueOrThrow(builder->Finish()));
  batches_.push_back(arrow::RecordBatch::Make(arrow_schema_, rows_, std::move(arrays)));
  rows_ = 0;
}

std::vector<std::shared_ptr<arrow::RecordBatch>> RowBuilder::TakeBatches() {
  if (rows_ > 0) Flush();
  return std::exchange(batches_, {});
}

}  // namespace nunatak
