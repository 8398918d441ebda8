#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "nunatak/base/bytes.h"
#include "nunatak/read/variant/variant_layout.h"
#include "nunatak/table/variant/variant_view.h"
#include "nunatak/table/variant/variant_writer.h"

namespace nunatak {

/// The metadata of the row at hand. Rows of one column mostly have the same bytes, which are
/// parsed once.
class RowMetadata {
 public:
  /// The bytes must stay alive until the next call.
  void Set(ByteSpan bytes);
  const VariantMetadata& get() const { return *metadata_; }
  /// The id of a field name. Throws `ErrorCode::kInvalid` when the metadata does not have it.
  uint32_t IdOf(std::string_view name);

 private:
  std::optional<VariantMetadata> metadata_;
  /// Filled when first asked.
  std::unordered_map<std::string_view, uint32_t> ids_;
};

/// The values that a group of `value` and `typed_value` holds, row by row.
class ShreddedValues {
 public:
  /// `group` is what the file's group of this layout decodes as; `layout` must outlive this.
  ShreddedValues(const VariantLayout& layout, const std::shared_ptr<arrow::Array>& group);

  /// Writes the value of a row; false when there is none, and nothing is written.
  bool Write(int64_t row, RowMetadata& metadata, VariantWriter& writer) const;

 private:
  /// The bytes of `value`; nullopt when null or absent.
  std::optional<ByteSpan> ValueAt(int64_t row) const;
  void WriteTyped(int64_t row, RowMetadata& metadata, VariantWriter& writer) const;
  void WritePrimitive(int64_t row, VariantWriter& writer) const;
  void WriteArray(int64_t row, RowMetadata& metadata, VariantWriter& writer) const;
  void WriteObject(int64_t row, RowMetadata& metadata, VariantWriter& writer) const;
  bool HasPart(std::string_view name) const;

  const VariantLayout* layout_;
  /// Null where the layout has none.
  std::shared_ptr<arrow::Array> value_;
  std::shared_ptr<arrow::Array> typed_;
  /// As in the layout.
  std::vector<ShreddedValues> parts_;
};

}  // namespace nunatak
