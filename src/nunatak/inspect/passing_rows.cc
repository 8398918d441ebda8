#include "nunatak/inspect/passing_rows.h"

#include <arrow/record_batch.h>

#include <numeric>
#include <utility>

#include "nunatak/read/arrow_schema.h"
#include "nunatak/read/read_columns.h"

namespace nunatak {

PassingRows::PassingRows(const Schema& schema, const Schema& projection, BoundFilter filter)
    : arrow_schema_(ArrowSchemaOf(projection)),
      columns_(projection.fields().begin(), projection.fields().end()),
      projected_(columns_.size()) {
  if (filter.is_true()) return;
  ReadColumns read({});
  std::vector<FieldPath> paths;
  for (const BoundFilter::Column& column : filter.columns) {
    paths.push_back(read.Require(schema, column.field_id));
  }
  columns_.insert(columns_.end(), read.added().begin(), read.added().end());
  filter_.emplace(std::make_shared<const BoundFilter>(std::move(filter)), std::move(paths));
}

std::vector<uint32_t> PassingRows::Passing(const MetadataRows& rows) const {
  std::vector<uint32_t> passing(rows.size());
  std::iota(passing.begin(), passing.end(), 0);
  if (!filter_) return passing;
  std::vector<uint8_t> dropped(rows.size());
  filter_->Apply(rows.Columns(filtered_by(), passing), dropped);
  std::erase_if(passing, [&](uint32_t row) { return dropped[row] != 0; });
  return passing;
}

std::shared_ptr<arrow::RecordBatch> PassingRows::Apply(const MetadataRows& rows) const {
  const std::vector<uint32_t> passing = Passing(rows);
  if (passing.empty()) return nullptr;
  return arrow::RecordBatch::Make(arrow_schema_, static_cast<int64_t>(passing.size()),
                                  rows.Columns(projection(), passing));
}

}  // namespace nunatak
