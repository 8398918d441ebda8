#include "nunatak/delta/parsed_statistics.h"

#include <arrow/array.h>
#include <arrow/type.h>
#include <arrow/util/decimal.h>

#include <utility>

#include "nunatak/base/int128.h"
#include "nunatak/table/datetime.h"

namespace nunatak::delta {

namespace {

constexpr int64_t kMicrosPerDay = 86'400'000'000;

template <typename ArrayType>
auto ValueAt(const arrow::Array& array, int64_t row) {
  return static_cast<const ArrayType&>(array).Value(row);
}

/// Whole numbers, possibly of a narrower type than the column has now.
ValueView OfInteger(const Type& type, int64_t value) {
  switch (type.id()) {
    case TypeId::kInt:
      return value >= INT32_MIN && value <= INT32_MAX ? ValueView::Integer(value) : ValueView();
    case TypeId::kLong:
      return ValueView::Integer(value);
    case TypeId::kDouble:
      return ValueView::Real(static_cast<double>(value));
    case TypeId::kDecimal:
      return type.precision() >= 19 + type.scale() || type.scale() == 0
                 ? ValueView::Decimal(static_cast<Int128>(value) * PowerOfTen(type.scale()))
                 : ValueView();
    default:
      return {};
  }
}

ValueView OfReal(const Type& type, double value) {
  const bool real = type.id() == TypeId::kFloat || type.id() == TypeId::kDouble;
  return real ? ValueView::Real(value) : ValueView();
}

ValueView OfDecimal(const Type& type, const arrow::Array& array, int64_t row) {
  const int scale = static_cast<const arrow::DecimalType&>(*array.type()).scale();
  if (type.id() != TypeId::kDecimal || scale > type.scale()) return {};
  const arrow::Decimal128 value(static_cast<const arrow::Decimal128Array&>(array).GetValue(row));
  const Int128 unscaled =
      static_cast<Int128>(value.high_bits()) << 64 | static_cast<Int128>(value.low_bits());
  Int128 scaled = 0;
  if (__builtin_mul_overflow(unscaled, PowerOfTen(type.scale() - scale), &scaled)) return {};
  return ValueView::Decimal(scaled);
}

ValueView Multiplied(int64_t value, int64_t factor) {
  int64_t product = 0;
  return __builtin_mul_overflow(value, factor, &product) ? ValueView()
                                                         : ValueView::Integer(product);
}

ValueView OfDays(const Type& type, int64_t days) {
  if (type.id() == TypeId::kDate) return ValueView::Integer(days);
  return type.id() == TypeId::kTimestamp ? Multiplied(days, kMicrosPerDay) : ValueView();
}

ValueView OfTimestamp(const Type& type, const arrow::Array& array, int64_t row) {
  if (type.id() != TypeId::kTimestamp && type.id() != TypeId::kTimestampTz) return {};
  const int64_t value = ValueAt<arrow::TimestampArray>(array, row);
  switch (static_cast<const arrow::TimestampType&>(*array.type()).unit()) {
    case arrow::TimeUnit::MICRO:
      return ValueView::Integer(value);
    case arrow::TimeUnit::NANO:
      return ValueView::Integer(FloorDivide(value, 1000));
    case arrow::TimeUnit::MILLI:
      return Multiplied(value, 1000);
    case arrow::TimeUnit::SECOND:
      return Multiplied(value, 1000000);
  }
  return {};
}

/// The value of a bound for a column of `type`; null when it is absent or of another kind.
ValueView BoundAt(const CheckpointColumn& column, const Type& type, int64_t row) {
  if (column.IsNull(row)) return {};
  const arrow::Array& array = *column.array();
  switch (array.type_id()) {
    case arrow::Type::BOOL:
      return type.id() == TypeId::kBoolean
                 ? ValueView::Integer(ValueAt<arrow::BooleanArray>(array, row) ? 1 : 0)
                 : ValueView();
    case arrow::Type::INT8:
      return OfInteger(type, ValueAt<arrow::Int8Array>(array, row));
    case arrow::Type::INT16:
      return OfInteger(type, ValueAt<arrow::Int16Array>(array, row));
    case arrow::Type::INT32:
      return OfInteger(type, ValueAt<arrow::Int32Array>(array, row));
    case arrow::Type::INT64:
      return OfInteger(type, ValueAt<arrow::Int64Array>(array, row));
    case arrow::Type::FLOAT:
      return OfReal(type, ValueAt<arrow::FloatArray>(array, row));
    case arrow::Type::DOUBLE:
      return OfReal(type, ValueAt<arrow::DoubleArray>(array, row));
    case arrow::Type::DECIMAL128:
      return OfDecimal(type, array, row);
    case arrow::Type::DATE32:
      return OfDays(type, ValueAt<arrow::Date32Array>(array, row));
    case arrow::Type::TIMESTAMP:
      return OfTimestamp(type, array, row);
    case arrow::Type::STRING:
    case arrow::Type::BINARY:
      return type.id() == TypeId::kString || type.id() == TypeId::kBinary
                 ? ValueView::Bytes(static_cast<const arrow::BinaryArray&>(array).GetView(row))
                 : ValueView();
    default:
      return {};
  }
}

ColumnPath ParsedPath(const char* statistic, const std::vector<std::string>& column = {}) {
  ColumnPath path = {"add", "stats_parsed", statistic};
  path.insert(path.end(), column.begin(), column.end());
  return path;
}

/// Whole numbers that count nulls; a column that is a struct there has no count of its own.
bool IsCount(const CheckpointColumn& column) {
  return column.exists() && column.array()->type_id() == arrow::Type::INT64;
}

}  // namespace

void SelectParsedStatistics(const std::vector<StatisticsColumn>& columns, CheckpointFile* file) {
  if (!file->Select(ParsedPath("numRecords"))) return;
  file->Select(ParsedPath("tightBounds"));
  for (const StatisticsColumn& column : columns) {
    for (const char* statistic : {"minValues", "maxValues", "nullCount"}) {
      file->Select(ParsedPath(statistic, column.path));
    }
  }
}

ParsedStatistics::ParsedStatistics(CheckpointFile* file, const RowSelection& rows,
                                   const std::vector<StatisticsColumn>& columns)
    : record_count_(file->Read(ParsedPath("numRecords"), rows)),
      tight_bounds_(file->Read(ParsedPath("tightBounds"), rows)) {
  for (const StatisticsColumn& column : columns) {
    bounds_.push_back({.type = column.type,
                       .lower = file->Read(ParsedPath("minValues", column.path), rows),
                       .upper = file->Read(ParsedPath("maxValues", column.path), rows),
                       .nulls = file->Read(ParsedPath("nullCount", column.path), rows)});
  }
}

bool ParsedStatistics::Read(int64_t row, FileStatistics* statistics) const {
  const std::optional<int64_t> count = record_count_.Integer(row);
  if (!count) return false;
  statistics->SetRecordCount(*count);
  statistics->SetTightBounds(tight_bounds_.Boolean(row).value_or(true));
  for (size_t c = 0; c < bounds_.size(); ++c) {
    const Bounds& bounds = bounds_[c];
    statistics->SetLower(c, BoundAt(bounds.lower, bounds.type, row));
    statistics->SetUpper(c, BoundAt(bounds.upper, bounds.type, row));
    if (IsCount(bounds.nulls)) {
      if (const auto nulls = bounds.nulls.Integer(row)) statistics->SetNullCount(c, *nulls);
    }
  }
  return true;
}

}  // namespace nunatak::delta
