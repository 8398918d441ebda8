#pragma once

#include <string>
#include <vector>

#include "nunatak/read/decode/file_field.h"
#include "nunatak/table/variant/variant_view.h"

namespace nunatak {

/// Where the parts of a variant, or of something shredded in it, lie among the children of its
/// group in a file (Parquet's "Variant Shredding"). Places are those of Arrow's struct fields; −1
/// for a part that the file does not have.
struct VariantLayout {
  enum class Shape { kNone, kPrimitive, kObject, kArray };

  int metadata = -1;
  int value = -1;
  int typed_value = -1;
  /// What `typed_value` is shredded as.
  Shape shape = Shape::kNone;
  /// Of a primitive; kTrue stands for booleans.
  VariantType type = VariantType::kNull;
  /// Of an object: its shredded fields in the order of their names' bytes, each with its place in
  /// the group `typed_value`. Of an array: its element alone.
  struct Part;
  std::vector<Part> parts;
};

struct VariantLayout::Part {
  std::string name;
  int index = 0;
  VariantLayout layout;
};

/// The layout of a column that is to be read as a variant. Throws `ErrorCode::kInvalid` for a group
/// that is none; the message says which part is wrong.
NUNATAK_EXPORT VariantLayout VariantLayoutOf(const FileField& group);

}  // namespace nunatak
