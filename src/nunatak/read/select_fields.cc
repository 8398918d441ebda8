#include "nunatak/read/select_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/read/pruned_defaults.h"
#include "nunatak/table/metadata_columns.h"

namespace nunatak {

namespace {

constexpr std::string_view kAllColumns = "*";

using FieldIds = std::unordered_set<int32_t>;

Field WithType(const Field& field, Type type) {
  Field result = field;
  result.type = std::move(type);
  return result;
}

/// The type pruned to the selected fields in it; nullopt when none is.
std::optional<Type> Prune(const Type& type, const FieldIds& selected);

/// The field, whole when it is selected itself; nullopt when nothing of it is selected.
std::optional<Field> Prune(const Field& field, const FieldIds& selected) {
  if (selected.contains(field.id)) return field;
  std::optional<Type> type = Prune(field.type, selected);
  if (!type) return std::nullopt;
  return WithType(field, std::move(*type));
}

std::optional<Type> Prune(const Type& type, const FieldIds& selected) {
  if (type.is_struct()) {
    std::vector<Field> fields;
    for (const Field& field : type.fields()) {
      if (std::optional<Field> kept = Prune(field, selected)) fields.push_back(std::move(*kept));
    }
    if (fields.empty()) return std::nullopt;
    return Type::Struct(std::move(fields));
  }
  if (type.id() == TypeId::kList) {
    std::optional<Field> element = Prune(type.element(), selected);
    return element ? std::optional(Type::List(std::move(*element))) : std::nullopt;
  }
  if (type.id() == TypeId::kMap) {
    if (Prune(type.key(), selected)) return type;
    std::optional<Field> value = Prune(type.value(), selected);
    return value ? std::optional(Type::Map(type.key(), std::move(*value))) : std::nullopt;
  }
  return std::nullopt;
}

const Field& Resolve(const Schema& schema, const std::string& name, bool case_sensitive) {
  if (const Field* field = schema.FindField(name, case_sensitive)) return *field;
  std::vector<std::string_view> columns;
  for (const Field& field : schema.fields()) columns.push_back(field.name);
  ThrowUsage(fmt::format("no column is named {}", name),
             fmt::format("columns: {}", fmt::join(columns, ", ")));
}

}  // namespace

Schema SelectFields(const Schema& schema, std::span<const std::string> names, bool case_sensitive) {
  FieldIds selected;
  std::vector<int32_t> columns;
  const auto select = [&](int32_t id) {
    selected.insert(id);
    const int32_t column = schema.PathTo(id).front();
    if (std::find(columns.begin(), columns.end(), column) == columns.end()) {
      columns.push_back(column);
    }
  };
  for (const std::string& name : names) {
    if (name == kAllColumns && schema.FindField(kAllColumns) == nullptr) {
      for (const Field& field : schema.fields()) {
        if (!IsMetadataColumn(field.id)) select(field.id);
      }
    } else {
      select(Resolve(schema, name, case_sensitive).id);
    }
  }
  std::vector<Field> fields;
  for (const int32_t id : columns) {
    const Field& whole = *schema.FindField(id);
    fields.push_back(WithPrunedDefaults(whole, *Prune(whole, selected)));
  }
  return Schema(schema.schema_id(), std::move(fields));
}

Field PruneToField(const Schema& schema, int32_t id) {
  const Field& whole = *schema.FindField(schema.PathTo(id).front());
  return WithPrunedDefaults(whole, *Prune(whole, FieldIds{id}));
}

}  // namespace nunatak
