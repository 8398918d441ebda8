#include "nunatak/read/arrow_schema.h"

#include <arrow/type.h>
#include <arrow/util/key_value_metadata.h>
#include <fmt/format.h>

#include "nunatak/base/error.h"
#include "nunatak/read/variant/assemble_variants.h"

namespace nunatak {

namespace {

arrow::FieldVector ArrowFieldsOf(std::span<const Field> fields) {
  arrow::FieldVector result;
  for (const Field& field : fields) result.push_back(ArrowFieldOf(field));
  return result;
}

}  // namespace

std::shared_ptr<arrow::DataType> ArrowTypeOf(const Type& type) {
  switch (type.id()) {
    case TypeId::kUnknown:
      return arrow::null();
    case TypeId::kBoolean:
      return arrow::boolean();
    case TypeId::kInt:
      return arrow::int32();
    case TypeId::kLong:
      return arrow::int64();
    case TypeId::kFloat:
      return arrow::float32();
    case TypeId::kDouble:
      return arrow::float64();
    case TypeId::kDecimal:
      return arrow::decimal128(type.precision(), type.scale());
    case TypeId::kDate:
      return arrow::date32();
    case TypeId::kTime:
      return arrow::time64(arrow::TimeUnit::MICRO);
    case TypeId::kTimestamp:
      return arrow::timestamp(arrow::TimeUnit::MICRO);
    case TypeId::kTimestampTz:
      return arrow::timestamp(arrow::TimeUnit::MICRO, "UTC");
    case TypeId::kTimestampNs:
      return arrow::timestamp(arrow::TimeUnit::NANO);
    case TypeId::kTimestampTzNs:
      return arrow::timestamp(arrow::TimeUnit::NANO, "UTC");
    case TypeId::kString:
      return arrow::utf8();
    case TypeId::kUuid:
      return arrow::fixed_size_binary(16);
    case TypeId::kFixed:
      return arrow::fixed_size_binary(type.length());
    case TypeId::kBinary:
    case TypeId::kGeometry:
    case TypeId::kGeography:
      return arrow::binary();
    case TypeId::kVariant:
      return VariantArrowType();
    case TypeId::kStruct:
      return arrow::struct_(ArrowFieldsOf(type.fields()));
    case TypeId::kList:
      return arrow::list(ArrowFieldOf(type.element()));
    case TypeId::kMap:
      return std::make_shared<arrow::MapType>(ArrowFieldOf(type.key()), ArrowFieldOf(type.value()));
  }
  return nullptr;
}

std::shared_ptr<arrow::Field> ArrowFieldOf(const Field& field) {
  const std::shared_ptr<arrow::DataType> type =
      WithContext(fmt::format("column {}", field.name), [&] { return ArrowTypeOf(field.type); });
  return arrow::field(field.name, type, !field.required,
                      arrow::key_value_metadata({"PARQUET:field_id"}, {std::to_string(field.id)}));
}

std::shared_ptr<arrow::Schema> ArrowSchemaOf(const Schema& schema) {
  return arrow::schema(ArrowFieldsOf(schema.fields()));
}

}  // namespace nunatak
