#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/read/field_path.h"
#include "nunatak/read/read_columns.h"
#include "nunatak/table/schema.h"
#include "nunatak/table/type.h"

namespace nunatak {

/// A field that equality deletes compare by.
struct EqualityField {
  /// One that has the field, as it is compared: the schema that is read with or, when the field was
  /// dropped, the newest that had it.
  Schema schema;
  int32_t id = 0;

  const Field& field() const { return *schema.FindField(id); }
};

/// Where the fields of a key lie in the columns of batches.
class NUNATAK_EXPORT EqualityKeyColumns {
 public:
  /// Adds what `columns` lacks of the fields.
  EqualityKeyColumns(std::span<const EqualityField> fields, ReadColumns* columns);

  std::span<const FieldPath> paths() const { return paths_; }

 private:
  friend class EqualityKeyEncoder;
  std::vector<Type> types_;
  std::vector<FieldPath> paths_;
};

/// The keys of some rows, one behind the other.
class NUNATAK_EXPORT EncodedKeys {
 public:
  size_t size() const { return ends_.size(); }
  std::string_view operator[](size_t i) const {
    const size_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::string_view(bytes_).substr(begin, ends_[i] - begin);
  }

 private:
  friend class EqualityKeyEncoder;
  std::string bytes_;
  std::vector<size_t> ends_;
};

/// Turns the keys of a batch's rows into bytes that are equal exactly when the keys are, by the
/// rule of equality deletes (docs/deletes.md): per field both are null, or both the same value,
/// where reals compare by their bits with all NaNs alike. The columns have the same types wherever
/// keys are compared, that is after promotion.
class NUNATAK_EXPORT EqualityKeyEncoder {
 public:
  EqualityKeyEncoder(const EqualityKeyColumns& key,
                     std::span<const std::shared_ptr<arrow::Array>> columns);

  EncodedKeys Encode(std::span<const int64_t> rows) const;

 private:
  void Append(int64_t row, std::string* out) const;

  struct Column {
    FieldReader reader;
    /// Bytes of an integer.
    size_t width;
  };
  std::vector<Column> columns_;
};

}  // namespace nunatak
