#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "nunatak/base/export.h"

namespace nunatak {

/// A field of a data file's own schema.
struct NUNATAK_EXPORT FileField {
  std::string name;
  /// Absent when neither the file nor a name mapping gives it one.
  std::optional<int32_t> id;
  /// Whether the id comes from elsewhere than the file.
  bool id_is_assigned = false;
  /// What the decoder makes of the field.
  std::shared_ptr<arrow::DataType> type;
  /// Of a decimal that is stored as an integer: that integer's bytes, 4 or 8; else 0.
  int decimal_bytes = 0;
  /// Whether it is a Parquet timestamp in 12 bytes, which engines take for an instant.
  bool is_int96 = false;
  /// Of such a timestamp: whether callers want nanoseconds of it, not `type`, where the decoder can
  /// give them.
  bool wants_nanoseconds = false;
  /// The number of a leaf column; −1 for nested fields.
  int leaf = -1;
  /// struct: its fields; list: the element; map: key and value.
  std::vector<FileField> children;
  /// Whether the field, or a part of it, is decoded.
  bool selected = false;

  bool is_leaf() const { return leaf >= 0; }
};

/// Whether any field at any depth has an id.
NUNATAK_EXPORT bool HasFieldIds(const std::vector<FileField>& fields);

/// Marks every leaf under `field` for decoding, or only the first one when `all` is false; false
/// when there is none.
NUNATAK_EXPORT bool SelectLeaves(FileField& field, bool all);

/// Updates `selected` of nested fields from the leaves, and returns the selected leaves, ascending.
NUNATAK_EXPORT std::vector<int> FinishSelection(std::vector<FileField>& fields);

/// The place of `fields[index]` among the fields that are decoded.
NUNATAK_EXPORT int DecodedIndex(const std::vector<FileField>& fields, size_t index);

}  // namespace nunatak
