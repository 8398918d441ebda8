#include "nunatak/delta/schema_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "nunatak/base/ascii_case.h"
#include "nunatak/base/error.h"
#include "nunatak/delta/type_change.h"

namespace nunatak::delta {

namespace {

constexpr std::string_view kIdKey = "delta.columnMapping.id";
constexpr std::string_view kPhysicalNameKey = "delta.columnMapping.physicalName";
constexpr std::string_view kTypeChangesKey = "delta.typeChanges";

constexpr std::array<std::pair<std::string_view, TypeId>, 17> kTypeNames = {
    {{"string", TypeId::kString},
     {"long", TypeId::kLong},
     {"bigint", TypeId::kLong},
     {"integer", TypeId::kInt},
     {"int", TypeId::kInt},
     {"short", TypeId::kInt},
     {"smallint", TypeId::kInt},
     {"byte", TypeId::kInt},
     {"tinyint", TypeId::kInt},
     {"float", TypeId::kFloat},
     {"double", TypeId::kDouble},
     {"boolean", TypeId::kBoolean},
     {"binary", TypeId::kBinary},
     {"date", TypeId::kDate},
     {"timestamp", TypeId::kTimestampTz},
     {"timestamp_ntz", TypeId::kTimestamp},
     {"variant", TypeId::kVariant}}};

/// What a column's metadata says; absent when it has none.
std::optional<JsonObject> MetadataOf(const JsonObject& field) {
  const std::optional<Json> metadata = field.Find("metadata");
  if (!metadata) return std::nullopt;
  return WithContext("metadata", [&] { return metadata->Object(); });
}

/// The highest id of the column mapping at any depth.
void FindHighestId(Json type, int32_t* highest) {
  if (!type.IsObject()) return;
  const JsonObject object = type.Object();
  object.ForEachIn("fields", [&](Json json) {
    const JsonObject field = json.Object();
    if (const auto metadata = MetadataOf(field)) {
      if (const auto id = metadata->FindInt32(kIdKey)) *highest = std::max(*highest, *id);
    }
    FindHighestId(field.At("type"), highest);
  });
  for (const char* part : {"elementType", "keyType", "valueType"}) {
    if (const std::optional<Json> json = object.Find(part)) FindHighestId(*json, highest);
  }
}

class SchemaParser {
 public:
  SchemaParser(bool mapped, int32_t highest_id) : mapped_(mapped), last_id_(highest_id) {}

  std::vector<Field> Fields(const JsonObject& type) {
    std::vector<Field> fields;
    std::set<std::string> names;
    type.ForEachIn("fields", [&](Json json) {
      const JsonObject object = json.Object();
      const std::string name = object.String("name");
      WithContext(fmt::format("column {}", name), [&] {
        if (!names.insert(ToLowerAscii(name)).second) {
          ThrowInvalid("there are two columns of that name, as case does not tell names apart");
        }
        fields.push_back(StructField(object, name));
      });
    });
    return fields;
  }

  std::map<int32_t, std::string> TakePhysicalNames() { return std::move(physical_names_); }
  int32_t last_id() const { return last_id_; }

 private:
  Field StructField(const JsonObject& object, const std::string& name) {
    const std::optional<JsonObject> metadata = MetadataOf(object);
    Field field{.name = name, .required = !object.FindBool("nullable").value_or(true)};
    std::string physical_name = name;
    std::optional<int32_t> id;
    if (mapped_) {
      if (metadata) id = metadata->FindInt32(kIdKey);
      const auto physical = metadata ? metadata->FindString(kPhysicalNameKey) : std::nullopt;
      if (!physical) ThrowInvalid(fmt::format("the column mapping has no {}", kPhysicalNameKey));
      physical_name = *physical;
    }
    field.id = id ? *id : NextId();
    physical_names_[field.id] = std::move(physical_name);
    if (metadata) {
      if (const auto comment = metadata->Find("comment"); comment && comment->IsString()) {
        field.doc = comment->String();
      }
      metadata->ForEachIn(kTypeChangesKey, RequireKnownTypeChange);
    }
    field.type = TypeOf(object.At("type"));
    return field;
  }

  Type TypeOf(Json json) {
    if (json.IsString()) return TypeOfName(json.String());
    const JsonObject object = json.Object();
    const std::string kind = object.String("type");
    if (kind == "struct") return Type::Struct(Fields(object));
    if (kind == "array") {
      return Type::List(Part("element", object, "elementType", "containsNull"));
    }
    if (kind == "map") {
      Field key = Part("key", object, "keyType", "");
      return Type::Map(std::move(key), Part("value", object, "valueType", "valueContainsNull"));
    }
    ThrowUnsupported(fmt::format("columns of type '{}' are not supported", kind));
  }

  /// A list's element, or a part of a map; a part without a key for its nulls has none.
  Field Part(std::string name, const JsonObject& type, std::string_view type_key,
             std::string_view nulls_key) {
    Field part{.id = NextId(), .name = std::move(name), .required = true};
    if (!nulls_key.empty()) part.required = !type.FindBool(nulls_key).value_or(true);
    part.type = WithContext(part.name, [&] { return TypeOf(type.At(type_key)); });
    return part;
  }

  int32_t NextId() {
    if (last_id_ == INT32_MAX) ThrowInvalid("there are no field ids left");
    return ++last_id_;
  }

  bool mapped_;
  int32_t last_id_;
  std::map<int32_t, std::string> physical_names_;
};

}  // namespace

Type TypeOfName(std::string_view name) {
  const auto* at = std::find_if(kTypeNames.begin(), kTypeNames.end(),
                                [&](const auto& entry) { return entry.first == name; });
  if (at != kTypeNames.end()) return at->second;
  // Columns that were only ever null; they are in no file.
  if (name == "void" || name == "null") return TypeId::kUnknown;
  if (name == "decimal") return Type::Decimal(10, 0);
  if (name.starts_with("decimal(")) return ParsePrimitiveType(name);
  if (name.starts_with("char(") || name.starts_with("varchar(")) return TypeId::kString;
  ThrowUnsupported(fmt::format("columns of type '{}' are not supported", name));
}

ParsedSchema ParseSchemaString(std::string_view text, bool mapped) {
  return WithContext("schemaString", [&] {
    const JsonDocument document = JsonDocument::Parse(text);
    int32_t highest_id = 0;
    if (mapped) FindHighestId(document.root(), &highest_id);
    SchemaParser parser(mapped, highest_id);
    ParsedSchema parsed;
    parsed.schema = Schema(0, parser.Fields(document.root().Object()));
    parsed.physical_names = parser.TakePhysicalNames();
    parsed.last_id = parser.last_id();
    return parsed;
  });
}

}  // namespace nunatak::delta
