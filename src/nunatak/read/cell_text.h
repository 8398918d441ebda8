#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/read/map_form.h"
#include "nunatak/read/value_reader.h"
#include "nunatak/table/type.h"

namespace nunatak {

/// The cells of a column that was read as `ArrowTypeOf(type)`, as text: what `CellToJson` gives,
/// without an object for each. Text that is not UTF-8 has replacement characters. A malformed
/// variant throws `ErrorCode::kInvalid`.
class NUNATAK_EXPORT CellText {
 public:
  CellText(const Type& type, std::shared_ptr<arrow::Array> column,
           MapForm maps = MapForm::kKeysAndValues);

  void AppendJson(int64_t row, std::string* out) const;
  /// Null is nothing at all, an empty text `""`; nested values and variants are JSON.
  void AppendCsv(int64_t row, std::string* out) const;

 private:
  void AppendStruct(int64_t row, std::string* out) const;
  void AppendMap(int64_t row, std::string* out) const;
  /// A key of a map as a JSON string.
  void AppendKey(int64_t row, std::string* out) const;
  void AppendVariant(int64_t row, std::string* out) const;
  void AppendRange(const CellText& values, int64_t begin, int64_t end, std::string* out) const;

  Type type_;
  std::shared_ptr<arrow::Array> column_;
  MapForm maps_;
  ValueReader values_;
  /// struct: its fields; list: the element; map: key and value.
  std::vector<CellText> parts_;
  /// Of a struct's fields: `"name":`.
  std::vector<std::string> keys_;
};

}  // namespace nunatak
