#include "nunatak/read/project/assign_ids.h"

#include <arrow/type.h>

#include <array>
#include <span>
#include <string_view>

namespace nunatak {

namespace {

/// The specification's reserved ids ("Reserved Field IDs") are above 2147483447.
constexpr int32_t kLeastReservedId = 2147483448;

/// Names of list and map parts are the specification's, whatever the file calls them.
constexpr std::array<std::string_view, 1> kListParts = {"element"};
constexpr std::array<std::string_view, 2> kMapParts = {"key", "value"};

std::span<const std::string_view> PartNames(const FileField& field) {
  if (field.type->id() == arrow::Type::LIST) return kListParts;
  if (field.type->id() == arrow::Type::MAP) return kMapParts;
  return {};
}

void Assign(const std::vector<MappedField>& mapping, std::span<const std::string_view> part_names,
            std::vector<FileField>& fields) {
  for (size_t i = 0; i < fields.size(); ++i) {
    FileField& field = fields[i];
    const std::string_view name = i < part_names.size() ? part_names[i] : field.name;
    const MappedField* mapped = FindByName(mapping, name);
    if (mapped == nullptr) continue;
    field.id = mapped->field_id;
    field.id_is_assigned = true;
    Assign(mapped->fields, PartNames(field), field.children);
  }
}

}  // namespace

void ClearIds(std::vector<FileField>& fields) {
  for (FileField& field : fields) {
    field.id.reset();
    ClearIds(field.children);
  }
}

void AssignMappedIds(const NameMapping& mapping, std::vector<FileField>& fields) {
  Assign(mapping.fields, {}, fields);
}

void AssignReservedIds(const NameMapping& mapping, std::vector<FileField>& fields) {
  for (FileField& field : fields) {
    const MappedField* mapped = field.id ? nullptr : FindByName(mapping.fields, field.name);
    if (mapped == nullptr || mapped->field_id.value_or(0) < kLeastReservedId) continue;
    field.id = mapped->field_id;
    field.id_is_assigned = true;
  }
}

void AssignIdsByPosition(std::vector<FileField>& fields) {
  int32_t id = 0;
  for (FileField& field : fields) {
    field.id = ++id;
    field.id_is_assigned = true;
  }
}

}  // namespace nunatak
