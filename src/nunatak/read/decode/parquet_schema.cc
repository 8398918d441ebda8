#include "nunatak/read/decode/parquet_schema.h"

#include <arrow/type.h>
#include <arrow/util/key_value_metadata.h>
#include <parquet/schema.h>

#include <charconv>
#include <string>

namespace nunatak {

namespace {

std::optional<int32_t> FieldIdOf(const arrow::Field& field) {
  if (!field.HasMetadata()) return std::nullopt;
  const auto text = field.metadata()->Get("PARQUET:field_id");
  if (!text.ok()) return std::nullopt;
  int32_t id = 0;
  const char* end = text->data() + text->size();
  const auto parsed = std::from_chars(text->data(), end, id);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return id;
}

int DecimalBytesOf(const parquet::ColumnDescriptor& column) {
  if (!column.logical_type()->is_decimal()) return 0;
  if (column.physical_type() == parquet::Type::INT32) return 4;
  return column.physical_type() == parquet::Type::INT64 ? 8 : 0;
}

std::vector<FileField> FieldsOf(const std::vector<parquet::arrow::SchemaField>& fields,
                                const parquet::SchemaDescriptor& schema);

FileField FileFieldOf(const parquet::arrow::SchemaField& field,
                      const parquet::SchemaDescriptor& schema) {
  FileField result;
  result.name = field.field->name();
  result.id = FieldIdOf(*field.field);
  result.type = field.field->type();
  result.leaf = field.column_index;
  // The group between a map and its key and value is no field of the table's.
  const bool is_map = result.type->id() == arrow::Type::MAP && field.children.size() == 1;
  result.children = FieldsOf(is_map ? field.children[0].children : field.children, schema);
  if (result.is_leaf()) {
    const parquet::ColumnDescriptor& column = *schema.Column(result.leaf);
    result.decimal_bytes = DecimalBytesOf(column);
    result.is_int96 = column.physical_type() == parquet::Type::INT96;
  }
  return result;
}

std::vector<FileField> FieldsOf(const std::vector<parquet::arrow::SchemaField>& fields,
                                const parquet::SchemaDescriptor& schema) {
  std::vector<FileField> result;
  for (const parquet::arrow::SchemaField& field : fields) {
    result.push_back(FileFieldOf(field, schema));
  }
  return result;
}

}  // namespace

std::vector<FileField> FileFieldsOf(const parquet::arrow::SchemaManifest& manifest) {
  return FieldsOf(manifest.schema_fields, *manifest.descr);
}

}  // namespace nunatak
