#include "nunatak/delta/table_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/delta/features.h"
#include "nunatak/delta/schema_json.h"
#include "nunatak/table/metadata_columns.h"

namespace nunatak::delta {

namespace {

/// Where the ids of partition fields begin, as everywhere.
constexpr int32_t kFirstPartitionFieldId = 1000;

ColumnMapping MappingOf(const Protocol& protocol, const Metadata& metadata) {
  const std::string* mode = metadata.FindProperty("delta.columnMapping.mode");
  // Without the feature, the property and what is left of it in the schema mean nothing.
  if (mode == nullptr || !HasReaderFeature(protocol, "columnMapping")) return ColumnMapping::kNone;
  if (*mode == "none") return ColumnMapping::kNone;
  if (*mode == "name") return ColumnMapping::kName;
  if (*mode == "id") return ColumnMapping::kId;
  ThrowUnsupported(
      fmt::format("the property delta.columnMapping.mode is '{}', which is not known", *mode));
}

PartitionSpec SpecOf(const Schema& schema, const std::vector<std::string>& columns,
                     int32_t* last_id) {
  PartitionSpec spec;
  *last_id = std::max(*last_id, kFirstPartitionFieldId - 1);
  for (const std::string& name : columns) {
    const auto fields = schema.fields();
    const auto field =
        std::find_if(fields.begin(), fields.end(), [&](const Field& f) { return f.name == name; });
    if (field == fields.end()) {
      ThrowInvalid(fmt::format("partitionColumns: the schema has no column '{}'", name));
    }
    spec.fields.push_back({.source_ids = {field->id},
                           .field_id = ++*last_id,
                           .name = name,
                           .transform = TransformId::kIdentity});
  }
  return spec;
}

void AppendMapped(const Field& field, const std::map<int32_t, std::string>& physical_names,
                  std::vector<MappedField>* out) {
  const auto physical = physical_names.find(field.id);
  MappedField mapped{.field_id = field.id,
                     .names = {physical == physical_names.end() ? field.name : physical->second},
                     .fields = {}};
  for (const Field& child : field.type.fields()) {
    AppendMapped(child, physical_names, &mapped.fields);
  }
  out->push_back(std::move(mapped));
}

}  // namespace

std::vector<std::string> TableSchema::PhysicalPath(int32_t field_id) const {
  std::vector<std::string> path;
  for (const int32_t id : schema.PathTo(field_id)) {
    const auto at = physical_names.find(id);
    path.push_back(at == physical_names.end() ? schema.FindField(id)->name : at->second);
  }
  return path;
}

NameMapping TableSchema::FileColumns(const Metadata& metadata) const {
  NameMapping columns;
  if (mapping != ColumnMapping::kId) {
    for (const Field& field : schema.fields()) AppendMapped(field, physical_names, &columns.fields);
  }
  const auto add_tracked = [&](int32_t id, const char* property) {
    if (const std::string* name = metadata.FindProperty(property)) {
      columns.fields.push_back({.field_id = id, .names = {*name}, .fields = {}});
    }
  };
  add_tracked(kRowIdColumnId, "delta.rowTracking.materializedRowIdColumnName");
  add_tracked(kLastUpdatedColumnId, "delta.rowTracking.materializedRowCommitVersionColumnName");
  return columns;
}

std::vector<std::string> PartitionColumnsOf(const TableSchema& table) {
  std::vector<std::string> columns;
  for (const PartitionField& field : table.spec.fields) {
    columns.push_back(table.physical_names.at(field.source_id()));
  }
  return columns;
}

TableSchema MakeTableSchema(const Protocol& protocol, const Metadata& metadata) {
  TableSchema table;
  table.mapping = MappingOf(protocol, metadata);
  ParsedSchema parsed =
      ParseSchemaString(metadata.schema_string, table.mapping != ColumnMapping::kNone);
  table.schema = std::move(parsed.schema);
  table.physical_names = std::move(parsed.physical_names);
  table.last_id = parsed.last_id;
  table.spec = SpecOf(table.schema, metadata.partition_columns, &table.last_id);
  return table;
}

}  // namespace nunatak::delta
