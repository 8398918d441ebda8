#include "nunatak/avro/schema.h"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <map>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/base/json.h"

namespace nunatak::avro {

namespace {

constexpr std::array<std::string_view, 14> kTypeNames = {
    "null",   "boolean", "int",  "long",  "float", "double", "bytes",
    "string", "record",  "enum", "array", "map",   "union",  "fixed"};

std::optional<Type> FindPrimitive(std::string_view name) {
  for (size_t i = 0; i <= static_cast<size_t>(Type::kString); ++i) {
    if (kTypeNames[i] == name) return static_cast<Type>(i);
  }
  return std::nullopt;
}

/// Which logical types there are, and on which base type each is valid.
struct LogicalRule {
  std::string_view name;
  LogicalType logical;
  Type base;
  /// Of a fixed base; 0: any.
  int64_t size = 0;
};
constexpr LogicalRule kLogicalRules[] = {
    {"decimal", LogicalType::kDecimal, Type::kBytes},
    {"decimal", LogicalType::kDecimal, Type::kFixed},
    {"uuid", LogicalType::kUuid, Type::kString},
    {"uuid", LogicalType::kUuid, Type::kFixed, 16},
    {"date", LogicalType::kDate, Type::kInt},
    {"time-millis", LogicalType::kTimeMillis, Type::kInt},
    {"time-micros", LogicalType::kTimeMicros, Type::kLong},
    {"timestamp-millis", LogicalType::kTimestampMillis, Type::kLong},
    {"timestamp-micros", LogicalType::kTimestampMicros, Type::kLong},
    {"timestamp-nanos", LogicalType::kTimestampNanos, Type::kLong},
    {"local-timestamp-millis", LogicalType::kLocalTimestampMillis, Type::kLong},
    {"local-timestamp-micros", LogicalType::kLocalTimestampMicros, Type::kLong},
    {"local-timestamp-nanos", LogicalType::kLocalTimestampNanos, Type::kLong},
    {"map", LogicalType::kMap, Type::kArray},
};

std::optional<int32_t> FindValidInt32(const JsonObject& object, std::string_view key) {
  const std::optional<Json> value = object.Find(key);
  if (!value || !value->IsInt64()) return std::nullopt;
  const int64_t number = value->Int64();
  if (number < 0 || number > std::numeric_limits<int32_t>::max()) return std::nullopt;
  return static_cast<int32_t>(number);
}

/// Reads precision and scale; false when they make no decimal.
bool ReadDecimal(const JsonObject& object, Node& node) {
  const std::optional<int32_t> precision = FindValidInt32(object, "precision");
  const int32_t scale = object.Find("scale") ? FindValidInt32(object, "scale").value_or(-1) : 0;
  if (!precision || *precision < 1 || scale < 0 || scale > *precision) return false;
  node.precision = *precision;
  node.scale = scale;
  return true;
}

void ReadLogicalType(const JsonObject& object, Node& node) {
  const std::optional<Json> name = object.Find("logicalType");
  if (!name || !name->IsString()) return;
  for (const LogicalRule& rule : kLogicalRules) {
    if (rule.name != name->String() || rule.base != node.type) continue;
    if (rule.size != 0 && rule.size != node.size) continue;
    if (rule.logical == LogicalType::kDecimal && !ReadDecimal(object, node)) continue;
    node.logical = rule.logical;
  }
  const std::optional<Json> adjust = object.Find("adjust-to-utc");
  node.adjust_to_utc = adjust && adjust->IsBool() && adjust->Bool();
}

std::vector<std::string> ReadTexts(const JsonObject& object, std::string_view key) {
  std::vector<std::string> texts;
  object.ForEachIn(key, [&](const Json& text) { texts.emplace_back(text.String()); });
  return texts;
}

/// The parts of a schema's JSON before its nodes are final. Recursion is bounded by the depth of
/// JSON.
class SchemaParser {
 public:
  explicit SchemaParser(std::deque<Node>& nodes) : nodes_(nodes) {}

  const Node* Parse(const Json& json) {
    if (json.IsString()) return ParseName(json.String());
    if (json.IsArray()) return ParseUnion(json.Array());
    return ParseObject(json.Object());
  }

 private:
  struct NamedType {
    const Node* node;
    /// Defined twice in different ways: fine as long as nobody refers to the name.
    bool ambiguous = false;
  };

  Node& NewNode(Type type) {
    Node& node = nodes_.emplace_back();
    node.type = type;
    return node;
  }

  const Node* ParseName(std::string_view name) {
    if (const std::optional<Type> primitive = FindPrimitive(name)) return &NewNode(*primitive);
    auto found = names_.find(Qualify(name, namespace_));
    if (found == names_.end()) found = names_.find(std::string(name));
    if (found == names_.end()) {
      ThrowInvalid(fmt::format("'{}' is neither a type of Avro nor defined before", name));
    }
    if (found->second.ambiguous) {
      ThrowInvalid(fmt::format("'{}' refers to a name that is defined twice", name));
    }
    return found->second.node;
  }

  const Node* ParseUnion(const JsonArray& branches) {
    Node& node = NewNode(Type::kUnion);
    branches.ForEach([&](const Json& branch) {
      const Node* parsed = Parse(branch);
      if (parsed->type == Type::kUnion) ThrowInvalid("a union must not directly contain a union");
      node.branches.push_back(parsed);
    });
    if (node.branches.empty()) ThrowInvalid("a union needs at least one branch");
    return &node;
  }

  const Node* ParseObject(const JsonObject& object) {
    const Json type = object.At("type");
    if (!type.IsString()) return ParseWrapped(object, type);
    const std::string_view name = type.String();
    if (name == "record" || name == "error") return ParseRecord(object);
    if (name == "enum") return ParseEnum(object);
    if (name == "fixed") return ParseFixed(object);
    if (name == "array") return ParseArray(object);
    if (name == "map") return ParseMap(object);
    const std::optional<Type> primitive = FindPrimitive(name);
    if (!primitive) return ParseName(name);
    Node& node = NewNode(*primitive);
    ReadLogicalType(object, node);
    return &node;
  }

  /// A schema inside a schema's `type`: the outer attributes count where the inner one has none.
  const Node* ParseWrapped(const JsonObject& object, const Json& type) {
    const size_t nodes_before = nodes_.size();
    const Node* inner = WithContext("type", [&] { return Parse(type); });
    const bool is_new = nodes_.size() > nodes_before && inner == &nodes_[nodes_before];
    if (is_new && inner->logical == LogicalType::kNone) {
      ReadLogicalType(object, nodes_[nodes_before]);
    }
    return inner;
  }

  const Node* ParseRecord(const JsonObject& object) {
    Node& node = NewNode(Type::kRecord);
    const std::string outer_namespace = namespace_;
    // Known from here on, since the fields may refer to it.
    Define(object, node);
    object.At("fields");
    object.ForEachIn("fields",
                     [&](const Json& field) { node.fields.push_back(ParseField(field.Object())); });
    namespace_ = outer_namespace;
    return &node;
  }

  Field ParseField(const JsonObject& object) {
    Field field;
    field.name = object.String("name");
    WithContext(field.name, [&] {
      field.aliases = ReadTexts(object, "aliases");
      field.id = object.FindInt32("field-id");
      field.iceberg_name = object.FindString("iceberg-field-name").value_or("");
      field.type = Parse(object.At("type"));
    });
    return field;
  }

  const Node* ParseEnum(const JsonObject& object) {
    Node& node = NewNode(Type::kEnum);
    const std::string outer_namespace = namespace_;
    Define(object, node);
    namespace_ = outer_namespace;
    object.At("symbols");
    node.symbols = ReadTexts(object, "symbols");
    return &node;
  }

  const Node* ParseFixed(const JsonObject& object) {
    Node& node = NewNode(Type::kFixed);
    node.size = object.Int32("size");
    if (node.size < 0) ThrowInvalid(fmt::format("size: {} is negative", node.size));
    const std::string outer_namespace = namespace_;
    Define(object, node);
    namespace_ = outer_namespace;
    ReadLogicalType(object, node);
    return &node;
  }

  const Node* ParseArray(const JsonObject& object) {
    Node& node = NewNode(Type::kArray);
    node.element_id = object.FindInt32("element-id");
    const Json items = object.At("items");
    node.item = WithContext("items", [&] { return Parse(items); });
    ReadLogicalType(object, node);
    return &node;
  }

  const Node* ParseMap(const JsonObject& object) {
    Node& node = NewNode(Type::kMap);
    node.key_id = object.FindInt32("key-id");
    node.value_id = object.FindInt32("value-id");
    const Json values = object.At("values");
    node.item = WithContext("values", [&] { return Parse(values); });
    return &node;
  }

  static std::string Qualify(std::string_view name, std::string_view name_space) {
    if (name_space.empty() || name.find('.') != name.npos) return std::string(name);
    return fmt::format("{}.{}", name_space, name);
  }

  /// Names `node`, and enters its namespace.
  void Define(const JsonObject& object, Node& node) {
    const std::string name = object.String("name");
    node.name = Qualify(name, object.FindString("namespace").value_or(namespace_));
    const size_t dot = node.name.rfind('.');
    namespace_ = dot == node.name.npos ? "" : node.name.substr(0, dot);
    for (const std::string& alias : ReadTexts(object, "aliases")) {
      node.aliases.push_back(Qualify(alias, namespace_));
    }
    const auto [entry, is_new] = names_.try_emplace(node.name, NamedType{&node});
    if (is_new) return;
    const Node& former = *entry->second.node;
    const bool same =
        former.type == Type::kFixed && node.type == Type::kFixed && former.size == node.size;
    if (!same) entry->second.ambiguous = true;
  }

  std::deque<Node>& nodes_;
  std::map<std::string, NamedType, std::less<>> names_;
  std::string namespace_;
};

}  // namespace

std::string_view ToString(Type type) { return kTypeNames[static_cast<size_t>(type)]; }

std::shared_ptr<const Schema> Schema::Parse(std::string_view json) {
  return WithContext("avro schema", [&] {
    const JsonDocument document = JsonDocument::Parse(json);
    const std::shared_ptr<Schema> schema(new Schema());
    schema->root_ = SchemaParser(schema->nodes_).Parse(document.root());
    return std::shared_ptr<const Schema>(schema);
  });
}

}  // namespace nunatak::avro
