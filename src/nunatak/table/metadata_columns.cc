#include "nunatak/table/metadata_columns.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace nunatak {

namespace {

/// Above the ids that columns and partition fields have in practice, and below the reserved ones.
constexpr int32_t kMovedIds = 2000000000;

struct MetadataColumn {
  int32_t id;
  const char* name;
  bool required;
  TypeId type;
};

constexpr std::array<MetadataColumn, 7> kColumns = {{
    {kFileColumnId, "_file", true, TypeId::kString},
    {kPositionColumnId, "_pos", true, TypeId::kLong},
    {kDeletedColumnId, "_deleted", true, TypeId::kBoolean},
    {kSpecIdColumnId, "_spec_id", true, TypeId::kInt},
    {kPartitionColumnId, "_partition", false, TypeId::kStruct},
    {kRowIdColumnId, "_row_id", false, TypeId::kLong},
    {kLastUpdatedColumnId, "_last_updated_sequence_number", false, TypeId::kLong},
}};

bool HasNameOfAnother(std::span<const Field> fields, const Field& field) {
  return std::any_of(fields.begin(), fields.end(), [&](const Field& other) {
    return &other != &field && other.name == field.name;
  });
}

/// Specs may give one name to several fields in turn: all but the newest then have their id behind
/// their name, as fields have that a new one takes its name from.
void TellNamesApart(std::span<Field> fields) {
  for (Field& field : fields) {
    const int32_t id = field.id;
    const bool newest = std::none_of(fields.begin(), fields.end(), [&](const Field& other) {
      return other.id > id && other.name == field.name;
    });
    while (!newest && HasNameOfAnother(fields, field)) field.name += "_" + std::to_string(id);
  }
}

Type PartitionColumnType(const Type& partition_type, int32_t last_column_id) {
  std::vector<Field> fields(partition_type.fields().begin(), partition_type.fields().end());
  TellNamesApart(fields);
  for (Field& field : fields) {
    field.required = false;
    if (field.id <= last_column_id) field.id += kMovedIds;
  }
  return Type::Struct(std::move(fields));
}

}  // namespace

bool IsMetadataColumn(int32_t field_id) {
  return std::any_of(kColumns.begin(), kColumns.end(),
                     [&](const MetadataColumn& column) { return column.id == field_id; });
}

Schema WithMetadataColumns(const Schema& schema, const Type& partition_type,
                           int32_t last_column_id) {
  std::vector<Field> fields(schema.fields().begin(), schema.fields().end());
  const auto is_hidden = [&](const MetadataColumn& column) {
    return std::any_of(schema.fields().begin(), schema.fields().end(),
                       [&](const Field& field) { return field.name == column.name; });
  };
  for (const MetadataColumn& column : kColumns) {
    if (is_hidden(column)) continue;
    Field& field = fields.emplace_back();
    field.id = column.id;
    field.name = column.name;
    field.required = column.required;
    field.type = column.id == kPartitionColumnId
                     ? PartitionColumnType(partition_type, last_column_id)
                     : Type(column.type);
  }
  return Schema(schema.schema_id(), std::move(fields), schema.identifier_field_ids());
}

int32_t PartitionFieldIdOf(int32_t field_id) {
  return field_id >= kMovedIds ? field_id - kMovedIds : field_id;
}

}  // namespace nunatak
