#include "nunatak/read/project/constant.h"

#include <arrow/array.h>
#include <arrow/array/builder_base.h>
#include <arrow/array/util.h>
#include <arrow/scalar.h>

#include <utility>

#include "nunatak/read/arrow_schema.h"
#include "nunatak/read/decode/arrow_error.h"
#include "nunatak/read/project/append_value.h"

namespace nunatak {

namespace {

/// Field by field: for a variant, which can only be null here, Arrow has no builder.
std::shared_ptr<arrow::Scalar> StructScalarOf(const Type& type, const Value& value) {
  arrow::ScalarVector fields;
  for (size_t i = 0; i < type.fields().size(); ++i) {
    const Type& field_type = type.fields()[i].type;
    const auto scalar = ScalarOf(field_type, FieldValue(type, value, i));
    fields.push_back(scalar != nullptr ? scalar : arrow::MakeNullScalar(ArrowTypeOf(field_type)));
  }
  return std::make_shared<arrow::StructScalar>(std::move(fields), ArrowTypeOf(type));
}

}  // namespace

std::shared_ptr<arrow::Scalar> ScalarOf(const Type& type, const Value& value) {
  if (value.is_null()) return nullptr;
  if (type.is_struct()) return StructScalarOf(type, value);
  const std::unique_ptr<arrow::ArrayBuilder> builder =
      ValueOrThrow(arrow::MakeBuilder(ArrowTypeOf(type)));
  AppendValue(type, value, *builder);
  const std::shared_ptr<arrow::Array> array = ValueOrThrow(builder->Finish());
  return ValueOrThrow(array->GetScalar(0));
}

std::shared_ptr<arrow::Array> ConstantArray(const std::shared_ptr<arrow::DataType>& type,
                                            const std::shared_ptr<arrow::Scalar>& constant,
                                            int64_t length) {
  return ValueOrThrow(constant == nullptr ? arrow::MakeArrayOfNull(type, length)
                                          : arrow::MakeArrayFromScalar(*constant, length));
}

}  // namespace nunatak
