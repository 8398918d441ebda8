#include "nunatak/read/project/promote.h"

#include <arrow/array.h>
#include <arrow/compute/cast.h>
#include <arrow/datum.h>
#include <arrow/type.h>

#include "nunatak/read/compute.h"
#include "nunatak/read/decode/arrow_error.h"

namespace nunatak {

namespace {

bool IsFixed(const arrow::DataType& type, int32_t length) {
  return type.id() == arrow::Type::FIXED_SIZE_BINARY &&
         static_cast<const arrow::FixedSizeBinaryType&>(type).byte_width() == length;
}

bool IsDecimalUpTo(const arrow::DataType& type, int scale) {
  return arrow::is_decimal(type.id()) &&
         static_cast<const arrow::DecimalType&>(type).scale() <= scale;
}

bool IsBytes(const arrow::DataType& type) {
  return type.id() == arrow::Type::BINARY || type.id() == arrow::Type::STRING;
}

std::shared_ptr<arrow::ArrayData> Cast(const std::shared_ptr<arrow::ArrayData>& data,
                                       const std::shared_ptr<arrow::DataType>& type) {
  InitializeCompute();
  return ValueOrThrow(
             arrow::compute::Cast(arrow::Datum(data), type, arrow::compute::CastOptions::Safe()))
      .array();
}

/// The same bytes under another type.
std::shared_ptr<arrow::ArrayData> Relabel(const std::shared_ptr<arrow::ArrayData>& data,
                                          const std::shared_ptr<arrow::DataType>& type) {
  std::shared_ptr<arrow::ArrayData> result = data->Copy();
  result->type = type;
  return result;
}

/// The table's type alone decides on the zone: a file's flag does not shift values.
std::shared_ptr<arrow::ArrayData> ReadAsTimestamp(const std::shared_ptr<arrow::ArrayData>& data,
                                                  const std::shared_ptr<arrow::DataType>& type) {
  const arrow::TimeUnit::type unit = static_cast<const arrow::TimestampType&>(*type).unit();
  return Relabel(
      Cast(Relabel(data,
                   arrow::timestamp(static_cast<const arrow::TimestampType&>(*data->type).unit())),
           arrow::timestamp(unit)),
      type);
}

}  // namespace

bool CanReadAs(const arrow::DataType& from, const Type& to) {
  const arrow::Type::type id = from.id();
  switch (to.id()) {
    case TypeId::kBoolean:
      return id == arrow::Type::BOOL;
    case TypeId::kInt:
      return arrow::is_integer(id) && arrow::bit_width(id) <= 32;
    case TypeId::kLong:
      return arrow::is_integer(id);
    case TypeId::kFloat:
      return id == arrow::Type::FLOAT || id == arrow::Type::HALF_FLOAT;
    case TypeId::kDouble:
      return arrow::is_floating(id) || (arrow::is_integer(id) && arrow::bit_width(id) <= 32);
    case TypeId::kDecimal:
      return IsDecimalUpTo(from, to.scale()) || arrow::is_integer(id);
    case TypeId::kDate:
      return id == arrow::Type::DATE32;
    case TypeId::kTime:
      return arrow::is_time(id);
    case TypeId::kTimestamp:
    case TypeId::kTimestampNs:
      return id == arrow::Type::TIMESTAMP || id == arrow::Type::DATE32;
    case TypeId::kTimestampTz:
    case TypeId::kTimestampTzNs:
      return id == arrow::Type::TIMESTAMP;
    case TypeId::kString:
      return IsBytes(from);
    case TypeId::kUuid:
      return IsFixed(from, 16);
    case TypeId::kFixed:
      return IsFixed(from, to.length());
    case TypeId::kBinary:
    case TypeId::kGeometry:
    case TypeId::kGeography:
      return IsBytes(from) || id == arrow::Type::FIXED_SIZE_BINARY;
    default:
      return false;
  }
}

std::shared_ptr<arrow::ArrayData> ReadAs(const std::shared_ptr<arrow::ArrayData>& data,
                                         const std::shared_ptr<arrow::DataType>& arrow_type) {
  const arrow::DataType& from = *data->type;
  if (from.Equals(*arrow_type)) return data;
  if (IsBytes(from) && IsBytes(*arrow_type)) return Relabel(data, arrow_type);
  if (from.id() == arrow::Type::TIMESTAMP) return ReadAsTimestamp(data, arrow_type);
  return Cast(data, arrow_type);
}

}  // namespace nunatak
