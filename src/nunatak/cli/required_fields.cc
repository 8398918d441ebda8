#include "nunatak/cli/required_fields.h"

#include <arrow/array/data.h>
#include <arrow/extension_type.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace nunatak::cli {

namespace {

using ArrayDataPtr = std::shared_ptr<arrow::ArrayData>;
/// By slot of an array, whether there is a value: whether the structs around it are not null.
using Present = std::vector<bool>;

const arrow::DataType& StoredType(const arrow::DataType& type) {
  if (type.id() != arrow::Type::EXTENSION) return type;
  return *static_cast<const arrow::ExtensionType&>(type).storage_type();
}

bool HasNullThatIsPresent(const arrow::ArrayData& data, const Present& present) {
  for (int64_t i = 0; i < data.length; ++i) {
    if (data.IsNull(i) && present[static_cast<size_t>(i)]) return true;
  }
  return false;
}

/// By slot of a struct's children, which do not know the part of it that is shown.
Present PresentBelow(const arrow::ArrayData& data, const Present* present) {
  Present below(static_cast<size_t>(data.offset + data.length), false);
  for (int64_t i = 0; i < data.length; ++i) {
    below[static_cast<size_t>(data.offset + i)] =
        data.IsValid(i) && (present == nullptr || (*present)[static_cast<size_t>(i)]);
  }
  return below;
}

/// `present` is null where there is no struct around: then every slot has a value.
ArrayDataPtr Mend(const arrow::Field& field, const ArrayDataPtr& data, const Present* present) {
  const arrow::DataType& type = StoredType(*data->type);
  const bool mend = present != nullptr && !field.nullable() && data->GetNullCount() > 0 &&
                    !HasNullThatIsPresent(*data, *present);
  if (!mend && type.num_fields() == 0) return data;
  ArrayDataPtr result = data->Copy();
  Present below;
  if (type.id() == arrow::Type::STRUCT) below = PresentBelow(*data, present);
  for (size_t i = 0; i < result->child_data.size(); ++i) {
    result->child_data[i] = Mend(*type.field(static_cast<int>(i)), data->child_data[i],
                                 type.id() == arrow::Type::STRUCT ? &below : nullptr);
  }
  if (mend) {
    result->buffers[0] = nullptr;
    result->null_count = 0;
  }
  return result;
}

}  // namespace

std::shared_ptr<arrow::RecordBatch> WithoutNullsBelowNulls(const arrow::RecordBatch& batch) {
  std::vector<ArrayDataPtr> columns;
  for (int i = 0; i < batch.num_columns(); ++i) {
    columns.push_back(Mend(*batch.schema()->field(i), batch.column_data(i), nullptr));
  }
  return arrow::RecordBatch::Make(batch.schema(), batch.num_rows(), std::move(columns));
}

}  // namespace nunatak::cli
