#include "nunatak/read/name_mapping.h"

#include <nlohmann/json.hpp>
#include <span>

#include "nunatak/base/error.h"
#include "nunatak/base/json.h"

namespace nunatak {

using nlohmann::ordered_json;

namespace {

MappedField ParseMappedField(Json json) {
  const JsonObject object = json.Object();
  MappedField field;
  field.field_id = object.FindInt32("field-id");
  object.ForEachIn("names", [&](Json name) { field.names.emplace_back(name.String()); });
  object.ForEachIn("fields", [&](Json child) { field.fields.push_back(ParseMappedField(child)); });
  return field;
}

std::vector<MappedField> MappedFieldsOf(std::span<const Field> fields) {
  std::vector<MappedField> mapped;
  for (const Field& field : fields) {
    mapped.push_back({.field_id = field.id,
                      .names = {field.name},
                      .fields = MappedFieldsOf(field.type.fields())});
  }
  return mapped;
}

ordered_json MappedFieldsToJson(const std::vector<MappedField>& fields) {
  ordered_json out = ordered_json::array();
  for (const MappedField& field : fields) {
    ordered_json& object = out.emplace_back(ordered_json::object());
    if (field.field_id) object["field-id"] = *field.field_id;
    object["names"] = field.names;
    if (!field.fields.empty()) object["fields"] = MappedFieldsToJson(field.fields);
  }
  return out;
}

}  // namespace

std::string NameMapping::ToJson() const { return MappedFieldsToJson(fields).dump(); }

NameMapping NameMapping::Of(const Schema& schema) { return {MappedFieldsOf(schema.fields())}; }

NameMapping NameMapping::Parse(std::string_view json) {
  return WithContext(kNameMappingProperty, [&] {
    const JsonDocument document = JsonDocument::Parse(json);
    NameMapping mapping;
    document.root().Array().ForEach(
        [&](Json field) { mapping.fields.push_back(ParseMappedField(field)); });
    return mapping;
  });
}

namespace {

/// The field whose name, or whose name and those of nested ones, the path is; null when there is
/// none.
const MappedField* FindPath(const std::vector<MappedField>& fields, std::string_view path) {
  if (const MappedField* field = FindByName(fields, path)) return field;
  for (const MappedField& field : fields) {
    for (const std::string& name : field.names) {
      const bool leads = path.starts_with(name) && path.substr(name.size()).starts_with('.');
      if (!leads) continue;
      const MappedField* nested = FindPath(field.fields, path.substr(name.size() + 1));
      if (nested != nullptr) return nested;
    }
  }
  return nullptr;
}

std::optional<std::string> FindName(const std::vector<MappedField>& fields, int32_t field_id) {
  for (const MappedField& field : fields) {
    if (field.names.empty()) continue;
    if (field.field_id == field_id) return field.names.front();
    if (const std::optional<std::string> nested = FindName(field.fields, field_id)) {
      return field.names.front() + "." + *nested;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<int32_t> NameMapping::IdFor(std::string_view path) const {
  const MappedField* field = FindPath(fields, path);
  return field == nullptr ? std::nullopt : field->field_id;
}

std::optional<std::string> NameMapping::NameFor(int32_t field_id) const {
  return FindName(fields, field_id);
}

const MappedField* FindByName(const std::vector<MappedField>& fields, std::string_view name) {
  for (const MappedField& field : fields) {
    for (const std::string& candidate : field.names) {
      if (candidate == name) return &field;
    }
  }
  return nullptr;
}

}  // namespace nunatak
