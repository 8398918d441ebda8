#include "nunatak/delta/actions.h"

#include <utility>

namespace nunatak::delta {

namespace {

std::vector<std::string> StringsIn(const JsonObject& object, std::string_view key) {
  std::vector<std::string> strings;
  object.ForEachIn(key, [&](Json value) { strings.emplace_back(value.String()); });
  return strings;
}

/// Null values, which some writers leave in, count as absent.
std::map<std::string, std::string> TextsIn(const JsonObject& object, std::string_view key) {
  std::map<std::string, std::string> texts;
  const std::optional<Json> map = object.Find(key);
  if (!map) return texts;
  WithContext(key, [&] {
    map->Object().ForEach([&](std::string_view name, Json value) {
      if (!value.IsNull()) texts.emplace(name, value.String());
    });
  });
  return texts;
}

}  // namespace

const std::string* Metadata::FindProperty(const std::string& key) const {
  const auto at = configuration.find(key);
  return at == configuration.end() ? nullptr : &at->second;
}

Protocol ProtocolFromJson(Json json) {
  const JsonObject object = json.Object();
  return {.min_reader_version = object.Int32("minReaderVersion"),
          .min_writer_version = object.Int32("minWriterVersion"),
          .reader_features = StringsIn(object, "readerFeatures"),
          .writer_features = StringsIn(object, "writerFeatures")};
}

Metadata MetadataFromJson(Json json) {
  const JsonObject object = json.Object();
  Metadata metadata{.id = object.String("id"),
                    .name = object.FindString("name"),
                    .description = object.FindString("description"),
                    .schema_string = object.FindString("schemaString").value_or(kNoColumns),
                    .partition_columns = StringsIn(object, "partitionColumns"),
                    .configuration = TextsIn(object, "configuration"),
                    .created_time = object.FindInt64("createdTime")};
  if (const std::optional<Json> format = object.Find("format")) {
    metadata.format_provider = WithContext(
        "format", [&] { return format->Object().FindString("provider").value_or("parquet"); });
  }
  return metadata;
}

Transaction TransactionFromJson(Json json) {
  const JsonObject object = json.Object();
  return {.app_id = object.String("appId"),
          .version = object.Int64("version"),
          .last_updated = object.FindInt64("lastUpdated")};
}

DomainMetadata DomainMetadataFromJson(Json json) {
  const JsonObject object = json.Object();
  return {.domain = object.String("domain"),
          .configuration = object.FindString("configuration").value_or(""),
          .removed = object.FindBool("removed").value_or(false)};
}

Sidecar SidecarFromJson(Json json) {
  const JsonObject object = json.Object();
  return {.path = object.String("path"), .size_in_bytes = object.Int64("sizeInBytes")};
}

}  // namespace nunatak::delta
