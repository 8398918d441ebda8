#include "nunatak/read/pruned_defaults.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace nunatak {

namespace {

/// The place of a field among others; their number when it is not there.
size_t PlaceOf(int32_t id, std::span<const Field> fields) {
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [&](const Field& field) { return field.id == id; });
  return static_cast<size_t>(found - fields.begin());
}

/// The parts of a default value that are left.
Value Prune(const Value& value, const Type& whole, const Type& pruned) {
  if (!value.is_nested() || whole.id() != pruned.id()) return value;
  Value::List kept;
  switch (pruned.id()) {
    case TypeId::kStruct:
      for (const Field& field : pruned.fields()) {
        const size_t place = PlaceOf(field.id, whole.fields());
        const bool is_given = place < whole.fields().size() && place < value.list().size();
        kept.push_back(is_given ? Prune(value.list()[place], whole.fields()[place].type, field.type)
                                : Value::Null());
      }
      break;
    case TypeId::kList:
      for (const Value& element : value.list()) {
        kept.push_back(Prune(element, whole.element().type, pruned.element().type));
      }
      break;
    case TypeId::kMap:
      // What is no entry is told by who uses the value.
      for (const Value& entry : value.list()) {
        if (!entry.is_nested() || entry.list().size() != 2) return value;
        kept.push_back(Value::Nested(
            {entry.list()[0], Prune(entry.list()[1], whole.value().type, pruned.value().type)}));
      }
      break;
    default:
      return value;
  }
  return Value::Nested(std::move(kept));
}

std::optional<Value> Prune(const std::optional<Value>& value, const Type& whole,
                           const Type& pruned) {
  return value ? std::optional(Prune(*value, whole, pruned)) : std::nullopt;
}

Type WithPrunedDefaults(const Type& whole, const Type& pruned) {
  if (whole.id() != pruned.id()) return pruned;
  switch (pruned.id()) {
    case TypeId::kStruct: {
      std::vector<Field> fields(pruned.fields().begin(), pruned.fields().end());
      for (Field& field : fields) {
        const size_t place = PlaceOf(field.id, whole.fields());
        if (place == whole.fields().size()) continue;
        field = nunatak::WithPrunedDefaults(whole.fields()[place], std::move(field));
      }
      return Type::Struct(std::move(fields));
    }
    case TypeId::kList:
      return Type::List(nunatak::WithPrunedDefaults(whole.element(), pruned.element()));
    case TypeId::kMap:
      return Type::Map(pruned.key(), nunatak::WithPrunedDefaults(whole.value(), pruned.value()));
    default:
      return pruned;
  }
}

}  // namespace

Field WithPrunedDefaults(const Field& whole, Field pruned) {
  pruned.initial_default = Prune(whole.initial_default, whole.type, pruned.type);
  pruned.write_default = Prune(whole.write_default, whole.type, pruned.type);
  pruned.type = WithPrunedDefaults(whole.type, pruned.type);
  return pruned;
}

}  // namespace nunatak
