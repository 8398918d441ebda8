#include "nunatak/read/decode/file_field.h"

#include <algorithm>

namespace nunatak {

bool HasFieldIds(const std::vector<FileField>& fields) {
  return std::any_of(fields.begin(), fields.end(), [](const FileField& field) {
    return field.id.has_value() || HasFieldIds(field.children);
  });
}

bool SelectLeaves(FileField& field, bool all) {
  if (field.is_leaf()) return field.selected = true;
  bool found = false;
  for (FileField& child : field.children) {
    found = SelectLeaves(child, all) || found;
    if (found && !all) break;
  }
  return found;
}

std::vector<int> FinishSelection(std::vector<FileField>& fields) {
  std::vector<int> leaves;
  for (FileField& field : fields) {
    if (field.is_leaf()) {
      if (field.selected) leaves.push_back(field.leaf);
      continue;
    }
    const std::vector<int> below = FinishSelection(field.children);
    field.selected = !below.empty();
    leaves.insert(leaves.end(), below.begin(), below.end());
  }
  std::sort(leaves.begin(), leaves.end());
  return leaves;
}

int DecodedIndex(const std::vector<FileField>& fields, size_t index) {
  return static_cast<int>(std::count_if(fields.begin(),
                                        fields.begin() + static_cast<std::ptrdiff_t>(index),
                                        [](const FileField& field) { return field.selected; }));
}

}  // namespace nunatak
