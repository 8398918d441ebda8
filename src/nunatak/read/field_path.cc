#include "nunatak/read/field_path.h"

#include <arrow/array.h>

namespace nunatak {

namespace {

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

FieldReader::FieldReader(const Type& type, const FieldPath& path,
                         std::span<const std::shared_ptr<arrow::Array>> columns)
    : leaf_(Descend(path, columns)), reader_(type, *leaf_) {}

std::shared_ptr<arrow::Array> FieldReader::Descend(
    const FieldPath& path, std::span<const std::shared_ptr<arrow::Array>> columns) {
  std::shared_ptr<arrow::Array> array = columns[path.column];
  for (const int child : path.children) {
    if (array->null_count() > 0) structs_.push_back(array);
    array = static_cast<const arrow::StructArray&>(*array).field(child);
  }
  return array;
}

ValueView FieldReader::At(int64_t row) const {
  for (const std::shared_ptr<arrow::Array>& parent : structs_) {
    if (parent->IsNull(row)) return ValueView();
  }
  return reader_.At(row);
}

}  // namespace nunatak
