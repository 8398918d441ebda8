#include "nunatak/read/row_filter.h"

#include <arrow/array.h>

#include "nunatak/expr/evaluate.h"
#include "nunatak/read/value_reader.h"

namespace nunatak {

namespace {

/// One column of the filter over one batch.
class ColumnAccessor {
 public:
  ColumnAccessor(const BoundFilter::Column& column, const FieldPath& path,
                 std::span<const std::shared_ptr<arrow::Array>> columns)
      : leaf_(Descend(path, columns)), reader_(column.type, *leaf_) {}

  ValueView At(int64_t row) const {
    for (const std::shared_ptr<arrow::Array>& parent : structs_) {
      if (parent->IsNull(row)) return ValueView();
    }
    return reader_.At(row);
  }

 private:
  std::shared_ptr<arrow::Array> Descend(const FieldPath& path,
                                        std::span<const std::shared_ptr<arrow::Array>> columns) {
    std::shared_ptr<arrow::Array> array = columns[path.column];
    for (const int child : path.children) {
      if (array->null_count() > 0) structs_.push_back(array);
      array = static_cast<const arrow::StructArray&>(*array).field(child);
    }
    return array;
  }

  /// The structs above the leaf that have nulls.
  arrow::ArrayVector structs_;
  std::shared_ptr<arrow::Array> leaf_;
  ValueReader reader_;
};

int ChildIndex(std::span<const Field> fields, int32_t id) {
  for (size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].id == id) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace

bool FindPath(const Schema& schema, int32_t id, std::span<const Field> columns, FieldPath* path) {
  const std::vector<int32_t> ids = schema.PathTo(id);
  path->children.clear();
  std::span<const Field> fields = columns;
  for (size_t depth = 0; depth < ids.size(); ++depth) {
    const int index = ChildIndex(fields, ids[depth]);
    if (index < 0) return false;
    if (depth == 0) {
      path->column = static_cast<size_t>(index);
    } else {
      path->children.push_back(index);
    }
    fields = fields[static_cast<size_t>(index)].type.fields();
  }
  return !ids.empty();
}

void RowFilter::Apply(std::span<const std::shared_ptr<arrow::Array>> columns,
                      std::span<uint8_t> dropped) const {
  std::vector<ColumnAccessor> accessors;
  for (size_t i = 0; i < paths_.size(); ++i) {
    accessors.emplace_back(filter_->columns[i], paths_[i], columns);
  }
  std::vector<ValueView> row(accessors.size());
  for (size_t r = 0; r < dropped.size(); ++r) {
    if (dropped[r]) continue;
    for (size_t i = 0; i < accessors.size(); ++i) {
      row[i] = accessors[i].At(static_cast<int64_t>(r));
    }
    dropped[r] = EvaluateRow(*filter_, row) ? 0 : 1;
  }
}

}  // namespace nunatak
