#include "nunatak/read/value_reader.h"

#include <arrow/array.h>
#include <arrow/util/decimal.h>

namespace nunatak {

namespace {

template <typename Array>
ValueView IntegerAt(const arrow::Array& column, int64_t row) {
  return ValueView::Integer(static_cast<const Array&>(column).Value(row));
}

template <typename Array>
ValueView RealAt(const arrow::Array& column, int64_t row) {
  return ValueView::Real(static_cast<const Array&>(column).Value(row));
}

template <typename Array>
ValueView BytesAt(const arrow::Array& column, int64_t row) {
  return ValueView::Bytes(std::string_view(static_cast<const Array&>(column).GetView(row)));
}

ValueView DecimalAt(const arrow::Array& column, int64_t row) {
  const arrow::Decimal128 value(static_cast<const arrow::Decimal128Array&>(column).GetValue(row));
  const auto high = static_cast<unsigned __int128>(static_cast<uint64_t>(value.high_bits()));
  return ValueView::Decimal(static_cast<Int128>((high << 64) | value.low_bits()));
}

}  // namespace

ValueView ValueReader::At(int64_t row) const {
  if (column_->IsNull(row)) return ValueView();
  switch (id_) {
    case TypeId::kBoolean:
      return IntegerAt<arrow::BooleanArray>(*column_, row);
    case TypeId::kInt:
      return IntegerAt<arrow::Int32Array>(*column_, row);
    case TypeId::kDate:
      return IntegerAt<arrow::Date32Array>(*column_, row);
    case TypeId::kLong:
      return IntegerAt<arrow::Int64Array>(*column_, row);
    case TypeId::kTime:
      return IntegerAt<arrow::Time64Array>(*column_, row);
    case TypeId::kTimestamp:
    case TypeId::kTimestampTz:
    case TypeId::kTimestampNs:
    case TypeId::kTimestampTzNs:
      return IntegerAt<arrow::TimestampArray>(*column_, row);
    case TypeId::kFloat:
      return RealAt<arrow::FloatArray>(*column_, row);
    case TypeId::kDouble:
      return RealAt<arrow::DoubleArray>(*column_, row);
    case TypeId::kDecimal:
      return DecimalAt(*column_, row);
    case TypeId::kString:
    case TypeId::kBinary:
    case TypeId::kGeometry:
    case TypeId::kGeography:
      return BytesAt<arrow::BinaryArray>(*column_, row);
    case TypeId::kUuid:
    case TypeId::kFixed:
      return BytesAt<arrow::FixedSizeBinaryArray>(*column_, row);
    case TypeId::kUnknown:
      return ValueView();
    case TypeId::kVariant:
    case TypeId::kStruct:
    case TypeId::kList:
    case TypeId::kMap:
      // Filters ask only whether such a column is null: anything else stands for "it is not".
      return ValueView::Integer(0);
  }
  return ValueView();
}

}  // namespace nunatak
