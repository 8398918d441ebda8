#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "avro/avro_builder.h"

namespace nunatak::iceberg {

using testing::AvroBytes;

/// A field of an Avro record with one value of it: a manifest is built from the fields that its
/// entries have, so that what a writer leaves out or spells oddly is left out or spelled so here.
struct AvroField {
  std::string name;
  /// −1: the schema carries no field id.
  int id = -1;
  /// JSON.
  std::string type;
  /// Encoded.
  std::string value;
  /// More attributes of the field, such as "\"iceberg-field-name\": \"a b\"".
  std::string attributes = {};
};

using AvroFields = std::vector<AvroField>;

inline std::string RecordSchema(const std::string& name, const AvroFields& fields) {
  std::string json;
  for (const AvroField& field : fields) {
    json += json.empty() ? "" : ",";
    json += R"({"name":")" + field.name + R"(","type":)" + field.type;
    if (field.id >= 0) json += R"(,"field-id":)" + std::to_string(field.id);
    if (!field.attributes.empty()) json += "," + field.attributes;
    json += "}";
  }
  return R"({"type":"record","name":")" + name + R"(","fields":[)" + json + "]}";
}

inline std::string RecordValue(const AvroFields& fields) {
  std::string bytes;
  for (const AvroField& field : fields) bytes += field.value;
  return bytes;
}

inline AvroField Int(std::string name, int id, int32_t value) {
  return {std::move(name), id, R"("int")", AvroBytes().Int(value).bytes()};
}
inline AvroField Long(std::string name, int id, int64_t value) {
  return {std::move(name), id, R"("long")", AvroBytes().Long(value).bytes()};
}
inline AvroField Text(std::string name, int id, std::string_view value) {
  return {std::move(name), id, R"("string")", AvroBytes().Text(value).bytes()};
}
inline AvroField NullLong(std::string name, int id) {
  return {std::move(name), id, R"(["null","long"])", AvroBytes().Null().bytes()};
}
inline AvroField Record(std::string name, int id, const AvroFields& fields) {
  return {name, id, RecordSchema("r_" + name, fields), RecordValue(fields)};
}

/// A map-as-array of the key and value ids that the specification gives it.
inline AvroField Map(std::string name, int id, int key_id, int value_id, const char* value_type,
                     std::string value) {
  const AvroFields pair = {{"key", key_id, R"("int")", ""},
                           {"value", value_id, std::string("\"") + value_type + "\"", ""}};
  return {name, id,
          R"({"type":"array","logicalType":"map","items":)" + RecordSchema("k_" + name, pair) + "}",
          std::move(value)};
}

/// Removes the ids at every depth of the schema text, as a writer that drops custom attributes
/// does.
inline std::string WithoutIds(std::string schema) {
  for (const char* attribute : {",\"field-id\":"}) {
    for (size_t at = schema.find(attribute); at != std::string::npos; at = schema.find(attribute)) {
      size_t end = at + std::string_view(attribute).size();
      while (end < schema.size() && schema[end] >= '0' && schema[end] <= '9') ++end;
      schema.erase(at, end - at);
    }
  }
  return schema;
}

/// The fields of a data file that every manifest has.
inline AvroFields DataFileFields(const AvroFields& partition = {}) {
  return {Text("file_path", 100, "data/a.parquet"), Text("file_format", 101, "PARQUET"),
          Record("partition", 102, partition), Long("record_count", 103, 10),
          Long("file_size_in_bytes", 104, 1000)};
}

/// A v2 entry of status ADDED whose sequence numbers and snapshot id are null.
inline AvroFields EntryFieldsOf(const AvroFields& data_file) {
  return {Int("status", 0, 1), NullLong("snapshot_id", 1), NullLong("sequence_number", 3),
          NullLong("file_sequence_number", 4), Record("data_file", 2, data_file)};
}

using HeaderEntries = std::vector<std::pair<std::string, std::string>>;

/// A manifest with one entry.
inline std::string ManifestBytes(const AvroFields& entry, HeaderEntries header = {},
                                 bool with_ids = true) {
  const std::string schema = RecordSchema("manifest_entry", entry);
  return testing::AvroFile{.schema = with_ids ? schema : WithoutIds(schema),
                           .codec = "deflate",
                           .metadata = std::move(header),
                           .blocks = {{RecordValue(entry)}}}
      .Write();
}

}  // namespace nunatak::iceberg
