#include "nunatak/table/schema_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/table/value_json.h"

namespace nunatak {

using nlohmann::ordered_json;

namespace {

constexpr int kMaxTypeDepth = 100;
constexpr const char* kInitialDefault = "initial-default";
constexpr const char* kWriteDefault = "write-default";

using DefaultOf = std::optional<Value> Field::*;

/// A struct's default names none of its fields, as a rule: what it leaves out are the defaults of
/// the fields themselves. The value returned holds them.
Value DefaultFromJson(const Type& type, Json json, DefaultOf which) {
  if (!type.is_struct()) return ValueFromJson(type, json);
  const JsonObject object = json.Object();
  Value::List values;
  for (const Field& field : type.fields()) {
    const std::string key = std::to_string(field.id);
    if (const std::optional<Json> value = object.Find(key)) {
      values.push_back(
          WithContext(key, [&] { return DefaultFromJson(field.type, *value, which); }));
    } else {
      values.push_back((field.*which).value_or(Value::Null()));
    }
  }
  return Value::Nested(std::move(values));
}

ordered_json DefaultToJson(const Type& type, const Value& value, DefaultOf which) {
  if (!type.is_struct() || value.is_null()) return ValueToJson(type, value);
  ordered_json object = ordered_json::object();
  for (size_t i = 0; i < type.fields().size(); ++i) {
    const Field& field = type.fields()[i];
    const Value& part = value.list()[i];
    if (part == (field.*which).value_or(Value::Null())) continue;
    object[std::to_string(field.id)] = DefaultToJson(field.type, part, which);
  }
  return object;
}

std::optional<Value> FindDefault(const Type& type, const JsonObject& object, const char* key,
                                 DefaultOf which) {
  const std::optional<Json> json = object.Find(key);
  if (!json) return std::nullopt;
  return WithContext(key, [&] {
    if (!type.is_comparable() && !type.is_nested()) {
      ThrowInvalid(
          fmt::format("the default of a column of type {} can only be null", type.ToString()));
    }
    return DefaultFromJson(type, *json, which);
  });
}

Type ParseType(Json json, int depth);

Type ParseTypeAt(const JsonObject& object, std::string_view key, int depth) {
  const Json json = object.At(key);
  return WithContext(key, [&] { return ParseType(json, depth); });
}

Field ParseStructField(const JsonObject& object, int depth) {
  Field field;
  field.id = object.Int32("id");
  field.name = object.String("name");
  field.required = object.Bool("required");
  field.type = ParseTypeAt(object, "type", depth);
  field.doc = object.FindString("doc").value_or("");
  field.initial_default = FindDefault(field.type, object, kInitialDefault, &Field::initial_default);
  field.write_default = FindDefault(field.type, object, kWriteDefault, &Field::write_default);
  return field;
}

Type ParseStruct(const JsonObject& object, int depth) {
  std::vector<Field> fields;
  object.At("fields");
  object.ForEachIn(
      "fields", [&](Json json) { fields.push_back(ParseStructField(json.Object(), depth + 1)); });
  return Type::Struct(std::move(fields));
}

Type ParseList(const JsonObject& object, int depth) {
  Field element;
  element.id = object.Int32("element-id");
  element.name = "element";
  element.required = object.Bool("element-required");
  element.type = ParseTypeAt(object, "element", depth + 1);
  return Type::List(std::move(element));
}

Type ParseMap(const JsonObject& object, int depth) {
  Field key;
  key.id = object.Int32("key-id");
  key.name = "key";
  key.required = true;
  key.type = ParseTypeAt(object, "key", depth + 1);
  Field value;
  value.id = object.Int32("value-id");
  value.name = "value";
  value.required = object.Bool("value-required");
  value.type = ParseTypeAt(object, "value", depth + 1);
  return Type::Map(std::move(key), std::move(value));
}

Type ParseType(Json json, int depth) {
  if (depth > kMaxTypeDepth) {
    ThrowInvalid(fmt::format("types nest deeper than {} levels", kMaxTypeDepth));
  }
  if (json.IsString()) return ParsePrimitiveType(json.String());
  const JsonObject object = json.Object();
  const Json kind = object.At("type");
  // {"type": {"type": "int"}} wraps a type without need, and is legal.
  if (!kind.IsString()) return ParseTypeAt(object, "type", depth + 1);
  if (kind.String() == "struct") return ParseStruct(object, depth);
  if (kind.String() == "list") return ParseList(object, depth);
  if (kind.String() == "map") return ParseMap(object, depth);
  return WithContext("type", [&] { return ParsePrimitiveType(kind.String()); });
}

ordered_json FieldToJson(const Field& field) {
  ordered_json json = {{"id", field.id},
                       {"name", field.name},
                       {"required", field.required},
                       {"type", TypeToJson(field.type)}};
  if (!field.doc.empty()) json["doc"] = field.doc;
  if (field.initial_default) {
    json[kInitialDefault] =
        DefaultToJson(field.type, *field.initial_default, &Field::initial_default);
  }
  if (field.write_default) {
    json[kWriteDefault] = DefaultToJson(field.type, *field.write_default, &Field::write_default);
  }
  return json;
}

ordered_json FieldsToJson(std::span<const Field> fields) {
  ordered_json array = ordered_json::array();
  for (const Field& field : fields) array.push_back(FieldToJson(field));
  return array;
}

}  // namespace

Type TypeFromJson(Json json) { return ParseType(json, 0); }

ordered_json TypeToJson(const Type& type) {
  switch (type.id()) {
    case TypeId::kStruct:
      return {{"type", "struct"}, {"fields", FieldsToJson(type.fields())}};
    case TypeId::kList:
      return {{"type", "list"},
              {"element-id", type.element().id},
              {"element", TypeToJson(type.element().type)},
              {"element-required", type.element().required}};
    case TypeId::kMap:
      return {{"type", "map"},
              {"key-id", type.key().id},
              {"key", TypeToJson(type.key().type)},
              {"value-id", type.value().id},
              {"value", TypeToJson(type.value().type)},
              {"value-required", type.value().required}};
    default:
      return type.ToString();
  }
}

Schema SchemaFromJson(Json json) {
  const JsonObject object = json.Object();
  const Type type = TypeFromJson(json);
  if (!type.is_struct()) {
    ThrowInvalid(fmt::format("a schema must be a struct, got {}", type.ToString()));
  }
  std::vector<int32_t> identifier_field_ids;
  object.ForEachIn("identifier-field-ids",
                   [&](Json id) { identifier_field_ids.push_back(id.Int32()); });
  return Schema(object.FindInt32("schema-id").value_or(0),
                std::vector<Field>(type.fields().begin(), type.fields().end()),
                std::move(identifier_field_ids));
}

ordered_json SchemaToJson(const Schema& schema) {
  ordered_json json = {{"type", "struct"}, {"schema-id", schema.schema_id()}};
  if (!schema.identifier_field_ids().empty()) {
    json["identifier-field-ids"] = schema.identifier_field_ids();
  }
  json["fields"] = FieldsToJson(schema.fields());
  return json;
}

}  // namespace nunatak
