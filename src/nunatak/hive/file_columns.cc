#include "nunatak/hive/file_columns.h"

#include <arrow/type.h>
#include <fmt/format.h>

#include "nunatak/base/error.h"

namespace nunatak::hive {

namespace {

TypeId TimestampOf(const FileField& column, FileFormat format) {
  const auto& type = static_cast<const arrow::TimestampType&>(*column.type);
  const bool nanoseconds = type.unit() == arrow::TimeUnit::NANO && format != FileFormat::kOrc;
  if (column.is_int96 || !type.timezone().empty()) {
    return nanoseconds ? TypeId::kTimestampTzNs : TypeId::kTimestampTz;
  }
  return nanoseconds ? TypeId::kTimestampNs : TypeId::kTimestamp;
}

Type LeafTypeOf(const FileField& column, FileFormat format) {
  const arrow::DataType& type = *column.type;
  switch (type.id()) {
    case arrow::Type::NA:
      return TypeId::kUnknown;
    case arrow::Type::BOOL:
      return TypeId::kBoolean;
    case arrow::Type::INT8:
    case arrow::Type::INT16:
    case arrow::Type::INT32:
    case arrow::Type::UINT8:
    case arrow::Type::UINT16:
      return TypeId::kInt;
    case arrow::Type::UINT32:
    case arrow::Type::INT64:
    case arrow::Type::UINT64:
      return TypeId::kLong;
    case arrow::Type::HALF_FLOAT:
    case arrow::Type::FLOAT:
      return TypeId::kFloat;
    case arrow::Type::DOUBLE:
      return TypeId::kDouble;
    case arrow::Type::DECIMAL32:
    case arrow::Type::DECIMAL64:
    case arrow::Type::DECIMAL128: {
      const auto& decimal = static_cast<const arrow::DecimalType&>(type);
      return Type::Decimal(decimal.precision(), decimal.scale());
    }
    case arrow::Type::DATE32:
      return TypeId::kDate;
    case arrow::Type::TIME32:
    case arrow::Type::TIME64:
      return TypeId::kTime;
    case arrow::Type::TIMESTAMP:
      return TimestampOf(column, format);
    case arrow::Type::STRING:
    case arrow::Type::LARGE_STRING:
      return TypeId::kString;
    case arrow::Type::BINARY:
    case arrow::Type::LARGE_BINARY:
      return TypeId::kBinary;
    case arrow::Type::FIXED_SIZE_BINARY:
      return Type::Fixed(static_cast<const arrow::FixedSizeBinaryType&>(type).byte_width());
    default:
      ThrowUnsupported(fmt::format("Arrow type {} has no counterpart", type.ToString()));
  }
}

Field FieldOf(const FileField& column, FileFormat format);

/// A part of a list or map, under the name that it has there.
Field PartOf(const FileField& part, FileFormat format, const char* name, bool required) {
  Field field = FieldOf(part, format);
  field.name = name;
  field.required = required;
  return field;
}

Type TypeOf(const FileField& column, FileFormat format) {
  const std::vector<FileField>& parts = column.children;
  switch (column.type->id()) {
    case arrow::Type::STRUCT:
      return Type::Struct(FieldsOf(parts, format));
    case arrow::Type::LIST:
      return Type::List(PartOf(parts.at(0), format, "element", false));
    case arrow::Type::MAP:
      return Type::Map(PartOf(parts.at(0), format, "key", true),
                       PartOf(parts.at(1), format, "value", false));
    default:
      return LeafTypeOf(column, format);
  }
}

Field FieldOf(const FileField& column, FileFormat format) {
  return WithContext(fmt::format("column {}", column.name), [&] {
    Field field;
    field.name = column.name;
    field.type = TypeOf(column, format);
    return field;
  });
}

}  // namespace

std::vector<Field> FieldsOf(const std::vector<FileField>& columns, FileFormat format) {
  std::vector<Field> fields;
  for (const FileField& column : columns) fields.push_back(FieldOf(column, format));
  return fields;
}

}  // namespace nunatak::hive
