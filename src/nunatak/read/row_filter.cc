#include "nunatak/read/row_filter.h"

#include "nunatak/expr/evaluate.h"

namespace nunatak {

void RowFilter::Apply(std::span<const std::shared_ptr<arrow::Array>> columns,
                      std::span<uint8_t> dropped) const {
  std::vector<FieldReader> fields;
  for (size_t i = 0; i < paths_.size(); ++i) {
    fields.emplace_back(filter_->columns[i].type, paths_[i], columns);
  }
  std::vector<ValueView> row(fields.size());
  for (size_t r = 0; r < dropped.size(); ++r) {
    if (dropped[r]) continue;
    for (size_t i = 0; i < fields.size(); ++i) row[i] = fields[i].At(static_cast<int64_t>(r));
    dropped[r] = EvaluateRow(*filter_, row) ? 0 : 1;
  }
}

}  // namespace nunatak
