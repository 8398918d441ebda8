#include "nunatak/table/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "nunatak/base/ascii_case.h"
#include "nunatak/base/error.h"

namespace nunatak {

bool operator==(const Field& a, const Field& b) {
  return a.id == b.id && a.name == b.name && a.required == b.required && a.type == b.type &&
         a.doc == b.doc && a.initial_default == b.initial_default &&
         a.write_default == b.write_default;
}

struct Schema::Index {
  /// Where a field hangs; `parent` is null for top-level fields.
  struct Place {
    const Field* field;
    const Place* parent;
  };

  int32_t schema_id = 0;
  Type type;
  std::vector<int32_t> identifier_field_ids;
  /// Node-based: places stay where they are, so that `parent` may point to them.
  std::unordered_map<int32_t, Place> places;
  using Names = std::unordered_map<std::string_view, const Field*>;
  /// The keys point into `type`.
  Names top_level;

  void Add(std::span<const Field> fields, const Place* parent) {
    Names names;
    for (const Field& field : fields) {
      if (const auto [it, inserted] = names.try_emplace(field.name, &field); !inserted) {
        ThrowInvalid(
            fmt::format("schema {} has two fields named '{}' side by side, of ids {} and {}",
                        schema_id, field.name, it->second->id, field.id));
      }
      const auto [it, inserted] = places.try_emplace(field.id, Place{&field, parent});
      if (!inserted) {
        ThrowInvalid(fmt::format("schema {} has two fields with id {}: '{}' and '{}'", schema_id,
                                 field.id, it->second.field->name, field.name));
      }
      Add(field.type.fields(), &it->second);
    }
    if (!parent) top_level = std::move(names);
  }

  const Place* Find(int32_t id) const {
    const auto it = places.find(id);
    return it == places.end() ? nullptr : &it->second;
  }
};

Schema::Schema() : Schema(0, {}) {}

Schema::Schema(int32_t schema_id, std::vector<Field> fields,
               std::vector<int32_t> identifier_field_ids) {
  auto index = std::make_shared<Index>();
  index->schema_id = schema_id;
  index->type = Type::Struct(std::move(fields));
  index->identifier_field_ids = std::move(identifier_field_ids);
  index->Add(index->type.fields(), nullptr);
  index_ = std::move(index);
}

int32_t Schema::schema_id() const { return index_->schema_id; }

const Type& Schema::AsStruct() const { return index_->type; }

const std::vector<int32_t>& Schema::identifier_field_ids() const {
  return index_->identifier_field_ids;
}

const Field* Schema::FindField(int32_t id) const {
  const Index::Place* place = index_->Find(id);
  return place ? place->field : nullptr;
}

namespace {

bool SameName(std::string_view a, std::string_view b, bool case_sensitive) {
  return case_sensitive ? a == b : EqualsIgnoreCase(a, b);
}

/// Collects the fields whose dotted path is `path`. Names may contain dots themselves, so each
/// field whose name begins the path is tried; a field is visited once at most.
void MatchPath(std::span<const Field> fields, std::string_view path, bool case_sensitive,
               std::vector<const Field*>* matches) {
  for (const Field& field : fields) {
    const std::string_view name = field.name;
    if (name.size() > path.size()) continue;
    if (!SameName(name, path.substr(0, name.size()), case_sensitive)) continue;
    if (name.size() == path.size()) {
      matches->push_back(&field);
    } else if (path[name.size()] == '.') {
      MatchPath(field.type.fields(), path.substr(name.size() + 1), case_sensitive, matches);
    }
  }
}

}  // namespace

const Field* Schema::FindField(std::string_view name, bool case_sensitive) const {
  std::vector<const Field*> matches;
  if (case_sensitive) {
    const auto it = index_->top_level.find(name);
    if (it != index_->top_level.end()) return it->second;
  } else {
    for (const Field& field : fields()) {
      if (SameName(field.name, name, case_sensitive)) matches.push_back(&field);
    }
  }
  if (matches.empty()) MatchPath(fields(), name, case_sensitive, &matches);
  if (matches.empty()) return nullptr;
  if (!case_sensitive && matches.size() > 1) {
    ThrowUsage(fmt::format("column '{}' is ambiguous without case: it may be '{}' or '{}'", name,
                           NameOf(matches[0]->id), NameOf(matches[1]->id)),
               "spell the name exactly and match it with case");
  }
  return matches.front();
}

std::vector<int32_t> Schema::PathTo(int32_t id) const {
  std::vector<int32_t> path;
  for (const Index::Place* at = index_->Find(id); at; at = at->parent) {
    path.push_back(at->field->id);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

std::string Schema::NameOf(int32_t id) const {
  std::string name;
  for (int32_t step : PathTo(id)) {
    if (!name.empty()) name += '.';
    name += FindField(step)->name;
  }
  return name;
}

bool Schema::IsRepeated(int32_t id) const {
  const Index::Place* place = index_->Find(id);
  while (place && place->parent) {
    place = place->parent;
    if (!place->field->type.is_struct()) return true;
  }
  return false;
}

bool Schema::IsNullable(int32_t id) const {
  for (const Index::Place* at = index_->Find(id); at; at = at->parent) {
    if (!at->field->required) return true;
  }
  return false;
}

bool operator==(const Schema& a, const Schema& b) {
  return a.index_ == b.index_ || (a.schema_id() == b.schema_id() && a.AsStruct() == b.AsStruct() &&
                                  a.identifier_field_ids() == b.identifier_field_ids());
}

}  // namespace nunatak
