#include "nunatak/read/project/project_column.h"

#include <arrow/array.h>
#include <arrow/type.h>
#include <fmt/format.h>

#include <algorithm>

#include "nunatak/base/error.h"
#include "nunatak/read/decode/arrow_error.h"
#include "nunatak/read/project/constant.h"
#include "nunatak/read/project/fill_nulls.h"
#include "nunatak/read/project/promote.h"
#include "nunatak/read/variant/assemble_variants.h"

namespace nunatak {

namespace {

using ArrayDataPtr = std::shared_ptr<arrow::ArrayData>;

/// Works on the whole of nested arrays, without regard to the part that a slice shows: children
/// keep their own offsets, and reach as far as their parent.
ArrayDataPtr Project(const ColumnPlan& plan, const ArrayDataPtr& data);

bool HasVariant(const ColumnPlan& plan) {
  return plan.variant != nullptr ||
         (plan.type->id() == arrow::Type::STRUCT &&
          std::any_of(plan.children.begin(), plan.children.end(), HasVariant));
}

/// The child as null wherever its struct is null.
ArrayDataPtr MaskedChild(const ArrayDataPtr& parent, int index) {
  const ArrayDataPtr whole = parent->Copy();
  whole->offset = 0;
  whole->length = parent->offset + parent->length;
  return ValueOrThrow(arrow::StructArray(whole).GetFlattenedField(index))->data();
}

ArrayDataPtr ProjectChild(const ColumnPlan& plan, const ArrayDataPtr& parent) {
  if (!plan.from_file) {
    return ConstantArray(plan.type, plan.constant, parent->offset + parent->length)->data();
  }
  // What is below a null struct may be anything, where it cannot be null itself; a variant must not
  // look at it.
  if (HasVariant(plan)) return Project(plan, MaskedChild(parent, plan.decoded_index));
  return Project(plan, parent->child_data[static_cast<size_t>(plan.decoded_index)]);
}

ArrayDataPtr ProjectChildren(const ColumnPlan& plan, const ArrayDataPtr& data,
                             const std::shared_ptr<arrow::DataType>& type) {
  ArrayDataPtr result = data->Copy();
  result->type = type;
  result->child_data.clear();
  for (const ColumnPlan& child : plan.children) {
    result->child_data.push_back(ProjectChild(child, data));
  }
  return result;
}

ArrayDataPtr ProjectList(const ColumnPlan& plan, const ArrayDataPtr& data) {
  const ColumnPlan& element = plan.children[0];
  ArrayDataPtr result = data->Copy();
  result->type = plan.type;
  const ArrayDataPtr& elements = data->child_data[0];
  result->child_data = {
      element.from_file ? Project(element, elements)
                        : ConstantArray(element.type, element.constant, elements->length)->data()};
  return result;
}

/// In Arrow a map is a list of structs of key and value.
ArrayDataPtr ProjectMap(const ColumnPlan& plan, const ArrayDataPtr& data) {
  ArrayDataPtr result = data->Copy();
  result->type = plan.type;
  result->child_data = {ProjectChildren(
      plan, data->child_data[0], static_cast<const arrow::MapType&>(*plan.type).value_type())};
  return result;
}

ArrayDataPtr Project(const ColumnPlan& plan, const ArrayDataPtr& data) {
  if (plan.variant != nullptr) {
    return WithContext(fmt::format("column {}", plan.field.name),
                       [&] { return AssembleVariants(*plan.variant, data); });
  }
  switch (plan.type->id()) {
    case arrow::Type::STRUCT:
      return ProjectChildren(plan, data, plan.type);
    case arrow::Type::LIST:
      return ProjectList(plan, data);
    case arrow::Type::MAP:
      return ProjectMap(plan, data);
    default:
      return WithContext(fmt::format("column {}", plan.field.name),
                         [&] { return ReadAs(data, plan.type); });
  }
}

}  // namespace

std::shared_ptr<arrow::Array> ProjectColumn(const ColumnPlan& plan,
                                            const std::shared_ptr<arrow::Array>& decoded,
                                            const RowSelection& rows, int64_t first_row) {
  const std::shared_ptr<arrow::Array> column =
      plan.from_file ? arrow::MakeArray(Project(plan, decoded->data()))
                     : ConstantArray(plan.type, plan.constant, rows.count());
  return plan.null_fill ? FillNulls(column, *plan.null_fill, rows, first_row) : column;
}

}  // namespace nunatak
