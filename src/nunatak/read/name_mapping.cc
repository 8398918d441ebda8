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

const MappedField* FindByName(const std::vector<MappedField>& fields, std::string_view name) {
  for (const MappedField& field : fields) {
    for (const std::string& candidate : field.names) {
      if (candidate == name) return &field;
    }
  }
  return nullptr;
}

}  // namespace nunatak
