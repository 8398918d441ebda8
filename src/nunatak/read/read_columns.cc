#include "nunatak/read/read_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "nunatak/read/pruned_defaults.h"
#include "nunatak/read/select_fields.h"

namespace nunatak {

namespace {

/// Adds a field that is pruned to a path. Paths that were found before stay valid: what is new
/// comes last.
void AddPath(Field field, std::vector<Field>* siblings) {
  const auto same = std::find_if(siblings->begin(), siblings->end(),
                                 [&](const Field& other) { return other.id == field.id; });
  if (same != siblings->end()) {
    std::vector<Field> children(same->type.fields().begin(), same->type.fields().end());
    for (const Field& child : field.type.fields()) AddPath(child, &children);
    same->type = Type::Struct(std::move(children));
    return;
  }
  const bool name_is_taken =
      std::any_of(siblings->begin(), siblings->end(),
                  [&](const Field& other) { return other.name == field.name; });
  // A column that was dropped may have left its name to another.
  if (name_is_taken) field.name += fmt::format(" (field id {})", field.id);
  siblings->push_back(std::move(field));
}

}  // namespace

FieldPath ReadColumns::Require(const Schema& schema, int32_t id) {
  FieldPath path;
  if (FindPath(schema, id, projection_, &path)) return path;
  if (!FindPath(schema, id, added_, &path)) {
    AddPath(PruneToField(schema, id), &added_);
    const Field& whole = *schema.FindField(schema.PathTo(id).front());
    const auto added = std::find_if(added_.begin(), added_.end(),
                                    [&](const Field& field) { return field.id == whole.id; });
    *added = WithPrunedDefaults(whole, std::move(*added));
    FindPath(schema, id, added_, &path);
  }
  path.column += projection_.size();
  return path;
}

}  // namespace nunatak
