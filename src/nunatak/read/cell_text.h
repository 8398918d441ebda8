#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/read/map_form.h"
#include "nunatak/read/text_buffer.h"
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

  bool IsNull(int64_t row) const;
  void AppendJson(int64_t row, TextBuffer* out) const;
  /// Null is nothing at all, and what JSON has in quotes is without; nested values and variants are
  /// JSON.
  void AppendText(int64_t row, TextBuffer* out) const;
  /// The same quoted where CSV demands it, an empty text too.
  void AppendCsv(int64_t row, TextBuffer* out) const;

 private:
  struct StructText;

  std::shared_ptr<const StructText> MakeStructText() const;
  /// Adds the fields of a struct, and those of the structs in it that are never null.
  static void AddFields(const Type& type, std::span<const CellText> fields, StructText* text);
  void AppendStruct(int64_t row, TextBuffer* out) const;
  void AppendMap(int64_t row, TextBuffer* out) const;
  void AppendObject(int64_t begin, int64_t end, TextBuffer* out) const;
  /// A key of a map as a JSON string.
  void AppendKey(int64_t row, TextBuffer* out) const;
  void AppendVariant(int64_t row, TextBuffer* out) const;
  void AppendRange(const CellText& values, int64_t begin, int64_t end, TextBuffer* out) const;
  /// A value that is neither null nor nested, without quotes.
  void AppendPlain(int64_t row, TextBuffer* out) const;
  void AppendQuoted(int64_t row, TextBuffer* out) const;
  bool is_primitive() const { return !type_.is_nested() && id_ != TypeId::kVariant; }

  Type type_;
  TypeId id_;
  std::shared_ptr<arrow::Array> column_;
  MapForm maps_;
  ValueReader values_;
  /// The validity bits, from the column's offset on; null when no cell is null.
  const uint8_t* valid_ = nullptr;
  int64_t offset_ = 0;
  /// list: the element; map: key and value.
  std::vector<CellText> parts_;
  /// Of structs; copies share it.
  std::shared_ptr<const StructText> struct_;
};

}  // namespace nunatak
