#include "nunatak/read/equality_key.h"

#include "nunatak/read/value_bytes.h"

namespace nunatak {

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
    AppendValueBytes(column.reader.At(row), column.width, out);
  }
}

}  // namespace nunatak
