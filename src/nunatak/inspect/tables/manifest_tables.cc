#include "nunatak/inspect/tables/manifest_tables.h"

#include <initializer_list>
#include <utility>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/iceberg/iceberg_source.h"
#include "nunatak/iceberg/partition_types.h"
#include "nunatak/inspect/partition_text.h"
#include "nunatak/inspect/tables/row_values.h"
#include "nunatak/table/single_value.h"

namespace nunatak {

namespace {

using iceberg::ManifestFile;
using iceberg::TableMetadata;

std::vector<Field> ManifestFields() {
  const Type summary = Type::Struct({RequiredField(10, "contains_null", TypeId::kBoolean),
                                     OptionalField(11, "contains_nan", TypeId::kBoolean),
                                     OptionalField(12, "lower_bound", TypeId::kString),
                                     OptionalField(13, "upper_bound", TypeId::kString)});
  return {
      RequiredField(14, "content", TypeId::kInt),
      RequiredField(1, "path", TypeId::kString),
      RequiredField(2, "length", TypeId::kLong),
      OptionalField(3, "partition_spec_id", TypeId::kInt),
      OptionalField(4, "added_snapshot_id", TypeId::kLong),
      OptionalField(5, "added_data_files_count", TypeId::kInt),
      OptionalField(6, "existing_data_files_count", TypeId::kInt),
      OptionalField(7, "deleted_data_files_count", TypeId::kInt),
      OptionalField(15, "added_delete_files_count", TypeId::kInt),
      OptionalField(16, "existing_delete_files_count", TypeId::kInt),
      OptionalField(17, "deleted_delete_files_count", TypeId::kInt),
      OptionalField(8, "partition_summaries", Type::List(RequiredField(9, "element", summary)))};
}

/// The counts of a manifest belong to its own kind of files; those of the other kind are 0.
Value CountIf(bool of_this_kind, const std::optional<int32_t>& count) {
  return of_this_kind ? IntegerOrNull(count) : Value::Integer(0);
}

Value SummaryBound(const PartitionField& field, const Type& type,
                   const std::optional<std::string>& bytes) {
  ValueView value;
  if (!bytes || !DecodeSingleValue(type, AsBytes(*bytes), &value)) return Value::Null();
  return Value::Bytes(PartitionText(field.transform, type, value));
}

Value Summaries(const TableMetadata& metadata, const ManifestFile& file) {
  const PartitionSpec* spec = metadata.FindSpec(file.partition_spec_id);
  if (!spec || !file.partitions || file.partitions->size() != spec->fields.size()) {
    return Value::Null();
  }
  const Type type = iceberg::PartitionTypeOf(metadata, *spec);
  Value::List list;
  for (size_t i = 0; i < spec->fields.size(); ++i) {
    const FieldSummary& summary = (*file.partitions)[i];
    const Type& field_type = type.fields()[i].type;
    list.push_back(Value::Nested({Value::Integer(summary.contains_null ? 1 : 0),
                                  IntegerOrNull(summary.contains_nan),
                                  SummaryBound(spec->fields[i], field_type, summary.lower_bound),
                                  SummaryBound(spec->fields[i], field_type, summary.upper_bound)}));
  }
  return Value::Nested(std::move(list));
}

Value::List ManifestRow(const TableMetadata& metadata, const ManifestFile& file) {
  const bool data = !file.is_delete_manifest();
  return {Value::Integer(static_cast<int>(file.content)), Value::Bytes(file.manifest_path),
          Value::Integer(file.manifest_length),           Value::Integer(file.partition_spec_id),
          IntegerOrNull(file.added_snapshot_id),          CountIf(data, file.added_files_count),
          CountIf(data, file.existing_files_count),       CountIf(data, file.deleted_files_count),
          CountIf(!data, file.added_files_count),         CountIf(!data, file.existing_files_count),
          CountIf(!data, file.deleted_files_count),       Summaries(metadata, file)};
}

Schema WithFields(std::initializer_list<Field> more) {
  std::vector<Field> fields = ManifestFields();
  fields.insert(fields.end(), more);
  return Schema(0, std::move(fields));
}

}  // namespace

MetadataTable ManifestsTable(const iceberg::Table& table, const MetadataScope& scope) {
  return {.schema = Schema(0, ManifestFields()),
          .produce = [table, snapshot = scope.snapshot](size_t, RowBuilder& rows) {
            for (const ManifestFile& file : iceberg::ReadManifests(table, snapshot)) {
              rows.Add(ManifestRow(*table.metadata, file));
            }
          }};
}

MetadataTable ManifestSchemasTable(const iceberg::Table& table, const MetadataScope& scope) {
  auto files = std::make_shared<const std::vector<ManifestFile>>(
      iceberg::ReadManifests(table, scope.snapshot));
  return {.schema = WithFields({OptionalField(20, "schema_id", TypeId::kInt)}),
          .parts = files->size(),
          .produce = [table, files](size_t part, RowBuilder& rows) {
            const ManifestFile& file = (*files)[part];
            const Buffer bytes = iceberg::FetchManifest(table, file);
            Value::List row = ManifestRow(*table.metadata, file);
            row.push_back(WithContext(file.manifest_path, [&] {
              return IntegerOrNull(iceberg::ReadManifestSchemaId(bytes.bytes));
            }));
            rows.Add(row);
          }};
}

MetadataTable AllManifestsTable(const iceberg::Table& table, const MetadataScope&) {
  return {.schema = WithFields({RequiredField(18, "reference_snapshot_id", TypeId::kLong),
                                OptionalField(19, "key_metadata", TypeId::kBinary)}),
          .parts = table.metadata->snapshots.size(),
          .produce = [table](size_t part, RowBuilder& rows) {
            const iceberg::Snapshot& snapshot = table.metadata->snapshots.At(part);
            for (const ManifestFile& file : iceberg::ReadManifests(table, &snapshot)) {
              Value::List row = ManifestRow(*table.metadata, file);
              row.push_back(Value::Integer(snapshot.snapshot_id));
              row.push_back(BytesOrNull(file.key_metadata));
              rows.Add(row);
            }
          }};
}

}  // namespace nunatak
