#include "nunatak/expr/names_field.h"

#include <algorithm>

namespace nunatak {

bool NamesField(const Expr& filter, const Schema& schema, int32_t field_id, bool case_sensitive) {
  if (filter.column_id) return *filter.column_id == field_id;
  if (!filter.column.empty()) {
    const Field* field = schema.FindField(filter.column, case_sensitive);
    return field != nullptr && field->id == field_id;
  }
  return std::any_of(filter.children.begin(), filter.children.end(), [&](const Expr& child) {
    return NamesField(child, schema, field_id, case_sensitive);
  });
}

}  // namespace nunatak
