#include "nunatak/read/decode/parquet_schema.h"

#include <arrow/type.h>
#include <arrow/util/key_value_metadata.h>

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

FileField FileFieldOf(const parquet::arrow::SchemaField& field) {
  FileField result;
  result.name = field.field->name();
  result.id = FieldIdOf(*field.field);
  result.type = field.field->type();
  result.leaf = field.column_index;
  // The group between a map and its key and value is no field of the table's.
  const bool is_map = result.type->id() == arrow::Type::MAP && field.children.size() == 1;
  result.children = FileFieldsOf(is_map ? field.children[0].children : field.children);
  return result;
}

}  // namespace

std::vector<FileField> FileFieldsOf(const std::vector<parquet::arrow::SchemaField>& fields) {
  std::vector<FileField> result;
  for (const parquet::arrow::SchemaField& field : fields) result.push_back(FileFieldOf(field));
  return result;
}

}  // namespace nunatak
