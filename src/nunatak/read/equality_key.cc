#include "nunatak/read/equality_key.h"

#include <bit>
#include <cstring>
#include <limits>

#include "nunatak/base/bytes.h"

namespace nunatak {

namespace {

constexpr char kNull = 0;
constexpr char kValue = 1;

template <typename T>
void AppendRaw(const T& value, size_t size, std::string* out) {
  out->append(reinterpret_cast<const char*>(&value), size);
}

/// Keys live in memory alone, so that the machine's byte order does. Integers are then cut to their
/// width at the lower end.
static_assert(std::endian::native == std::endian::little);

void AppendValue(const ValueView& value, size_t width, std::string* out) {
  switch (value.kind) {
    case ValueView::Kind::kNull:
      return;
    case ValueView::Kind::kInteger:
      return AppendRaw(value.integer, width, out);
    case ValueView::Kind::kReal: {
      const double real = value.is_nan() ? std::numeric_limits<double>::quiet_NaN() : value.real;
      return AppendRaw(real, sizeof(real), out);
    }
    case ValueView::Kind::kDecimal:
      return AppendRaw(value.decimal, sizeof(value.decimal), out);
    case ValueView::Kind::kBytes:
      // The length first: ("a", "bc") is not ("ab", "c").
      AppendRaw(static_cast<uint32_t>(value.bytes.size), sizeof(uint32_t), out);
      out->append(value.text());
      return;
  }
}

size_t IntegerWidth(const Type& type) {
  switch (type.id()) {
    case TypeId::kBoolean:
      return 1;
    case TypeId::kInt:
    case TypeId::kDate:
      return 4;
    default:
      return 8;
  }
}

}  // namespace

EqualityKeyColumns::EqualityKeyColumns(std::span<const EqualityField> fields,
                                       ReadColumns* columns) {
  for (const EqualityField& field : fields) {
    types_.push_back(field.field().type);
    paths_.push_back(columns->Require(field.schema, field.id));
  }
}

EqualityKeyEncoder::EqualityKeyEncoder(const EqualityKeyColumns& key,
                                       std::span<const std::shared_ptr<arrow::Array>> columns) {
  for (size_t i = 0; i < key.types_.size(); ++i) {
    columns_.push_back(
        {FieldReader(key.types_[i], key.paths_[i], columns), IntegerWidth(key.types_[i])});
  }
}

EncodedKeys EqualityKeyEncoder::Encode(std::span<const int64_t> rows) const {
  EncodedKeys keys;
  keys.ends_.reserve(rows.size());
  for (const int64_t row : rows) {
    Append(row, &keys.bytes_);
    keys.ends_.push_back(keys.bytes_.size());
  }
  return keys;
}

void EqualityKeyEncoder::Append(int64_t row, std::string* out) const {
  for (const Column& column : columns_) {
    const ValueView value = column.reader.At(row);
    out->push_back(value.is_null() ? kNull : kValue);
    AppendValue(value, column.width, out);
  }
}

}  // namespace nunatak
