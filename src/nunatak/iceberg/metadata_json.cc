#include "nunatak/iceberg/metadata_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/base/json.h"
#include "nunatak/base/json_outline.h"
#include "nunatak/iceberg/gzip.h"
#include "nunatak/iceberg/metadata_validation.h"
#include "nunatak/iceberg/snapshot_json.h"
#include "nunatak/table/schema_json.h"

namespace nunatak::iceberg {

namespace {

/// How some writers spell "no current snapshot", besides null and leaving the field out.
constexpr int64_t kNoSnapshot = -1;
/// The lists that may be long.
constexpr std::string_view kLists[] = {"schemas",      "snapshots",  "snapshot-log",
                                       "metadata-log", "statistics", "partition-statistics"};
/// The highest partition field id of a table without partition fields; the first field gets 1000.
constexpr int32_t kNoPartitionFieldId = 999;

int ParseFormatVersion(const JsonObject& json) {
  const int32_t version = json.Int32("format-version");
  if (version < 1) ThrowInvalid(fmt::format("format-version: {} does not exist", version));
  if (version > kMaxFormatVersion) {
    ThrowUnsupported(fmt::format("format-version {} is not supported", version),
                     fmt::format("tables up to version {} can be read", kMaxFormatVersion));
  }
  return version;
}

void RefuseEncrypted(const JsonObject& json) {
  const std::optional<Json> keys = json.Find("encryption-keys");
  if (!keys || keys->Array().size() == 0) return;
  ThrowUnsupported("the table is encrypted (it has encryption-keys)",
                   "encrypted tables cannot be read");
}

void ParseSchemas(const JsonOutline& outline, TableMetadata* metadata) {
  const JsonObject json = outline.root();
  if (metadata->format_version == 1 && !json.Find("schemas")) {
    const Json schema = json.At("schema");
    Schema parsed = WithContext("schema", [&] { return SchemaFromJson(schema); });
    metadata->current_schema_id = parsed.schema_id();
    metadata->schemas.Add(metadata->current_schema_id, std::move(parsed));
    return;
  }
  json.At("schemas");
  // Each is decoded once to find what is wrong with it; so are snapshots.
  outline.ForEachIn("schemas", [&](Json item, std::string_view text) {
    metadata->schemas.AddText(SchemaFromJson(item).schema_id(), text);
  });
  metadata->current_schema_id = json.Int32("current-schema-id");
}

void ParsePartitionSpecs(const JsonObject& json, TableMetadata* metadata) {
  if (metadata->format_version == 1 && !json.Find("partition-specs")) {
    const Json fields = json.At("partition-spec");
    metadata->partition_specs.push_back(WithContext("partition-spec", [&] {
      return PartitionSpec{.spec_id = 0, .fields = PartitionFieldsFromJson(fields.Array())};
    }));
    return;
  }
  json.At("partition-specs");
  json.ForEachIn("partition-specs", [&](Json item) {
    metadata->partition_specs.push_back(PartitionSpecFromJson(item));
  });
  metadata->default_spec_id = json.Int32("default-spec-id");
}

int32_t HighestPartitionFieldId(const TableMetadata& metadata) {
  int32_t highest = kNoPartitionFieldId;
  for (const PartitionSpec& spec : metadata.partition_specs) {
    for (const PartitionField& field : spec.fields) highest = std::max(highest, field.field_id);
  }
  return highest;
}

void ParseSortOrders(const JsonObject& json, TableMetadata* metadata) {
  if (metadata->format_version == 1 && !json.Find("sort-orders")) {
    metadata->sort_orders.emplace_back();
    return;
  }
  json.At("sort-orders");
  json.ForEachIn("sort-orders",
                 [&](Json item) { metadata->sort_orders.push_back(SortOrderFromJson(item)); });
  metadata->default_sort_order_id = json.Int32("default-sort-order-id");
}

/// The fields that later versions require and version 1 leaves out.
void ParseVersionedFields(const JsonObject& json, TableMetadata* metadata) {
  metadata->table_uuid = json.FindString("table-uuid");
  if (metadata->format_version == 1) {
    metadata->last_partition_id =
        json.FindInt32("last-partition-id").value_or(HighestPartitionFieldId(*metadata));
    return;
  }
  if (!metadata->table_uuid) json.At("table-uuid");
  metadata->last_sequence_number = json.Int64("last-sequence-number");
  metadata->last_partition_id = json.Int32("last-partition-id");
  if (metadata->format_version >= 3) metadata->next_row_id = json.Int64("next-row-id");
}

void ParseRefs(const JsonObject& json, TableMetadata* metadata) {
  if (const std::optional<Json> refs = json.Find("refs")) {
    WithContext("refs", [&] {
      refs->Object().ForEach([&](std::string_view name, Json value) {
        metadata->refs.insert_or_assign(std::string(name), SnapshotRefFromJson(value));
      });
    });
  }
  // There always is a main branch, even where `refs` is absent or lacks it.
  if (metadata->current_snapshot_id) {
    metadata->refs.try_emplace(std::string(kMainBranch),
                               SnapshotRef{.snapshot_id = *metadata->current_snapshot_id,
                                           .type = SnapshotRef::Type::kBranch,
                                           .min_snapshots_to_keep = std::nullopt,
                                           .max_snapshot_age_ms = std::nullopt,
                                           .max_ref_age_ms = std::nullopt});
  }
}

void ParseSnapshots(const JsonOutline& outline, TableMetadata* metadata) {
  const JsonObject json = outline.root();
  metadata->current_snapshot_id = json.FindInt64("current-snapshot-id");
  if (metadata->current_snapshot_id == kNoSnapshot) metadata->current_snapshot_id.reset();
  outline.ForEachIn("snapshots", [&](Json item, std::string_view text) {
    metadata->snapshots.AddText(SnapshotFromJson(item), text);
  });
  outline.ForEachIn("snapshot-log", [&](Json item, std::string_view) {
    const JsonObject entry = item.Object();
    metadata->snapshot_log.push_back(
        {.timestamp_ms = entry.Int64("timestamp-ms"), .snapshot_id = entry.Int64("snapshot-id")});
  });
  ParseRefs(json, metadata);
}

void ParseFiles(const JsonOutline& outline, TableMetadata* metadata) {
  outline.ForEachIn("metadata-log", [&](Json item, std::string_view) {
    const JsonObject entry = item.Object();
    metadata->metadata_log.push_back({.timestamp_ms = entry.Int64("timestamp-ms"),
                                      .metadata_file = entry.String("metadata-file")});
  });
  outline.ForEachIn("statistics", [&](Json item, std::string_view) {
    metadata->statistics.push_back(StatisticsFileFromJson(item));
  });
  outline.ForEachIn("partition-statistics", [&](Json item, std::string_view) {
    metadata->partition_statistics.push_back(PartitionStatisticsFileFromJson(item));
  });
}

std::shared_ptr<const TableMetadata> ParseText(std::string_view text,
                                               std::shared_ptr<const void> owner) {
  const JsonOutline outline = JsonOutline::Parse(text, kLists);
  const JsonObject json = outline.root();
  auto metadata = std::make_shared<TableMetadata>();
  metadata->schemas.KeepAlive(owner);
  metadata->snapshots.KeepAlive(std::move(owner));
  metadata->format_version = ParseFormatVersion(json);
  RefuseEncrypted(json);
  metadata->location = json.String("location");
  if (metadata->location.empty()) ThrowInvalid("location: is empty");
  metadata->last_updated_ms = json.Int64("last-updated-ms");
  metadata->last_column_id = json.Int32("last-column-id");
  metadata->properties = FindStringMap(json, "properties");
  ParseSchemas(outline, metadata.get());
  ParsePartitionSpecs(json, metadata.get());
  ParseSortOrders(json, metadata.get());
  ParseVersionedFields(json, metadata.get());
  ParseSnapshots(outline, metadata.get());
  ParseFiles(outline, metadata.get());
  ValidateTableMetadata(*metadata);
  return metadata;
}

}  // namespace

std::shared_ptr<const TableMetadata> ParseTableMetadata(Buffer bytes) {
  if (!IsGzip(bytes.bytes)) return ParseText(AsText(bytes.bytes), std::move(bytes.owner));
  const auto text = std::make_shared<const std::string>(InflateGzip(bytes.bytes));
  bytes = Buffer();
  return ParseText(*text, text);
}

std::shared_ptr<const TableMetadata> ParseTableMetadata(ByteSpan bytes) {
  return ParseTableMetadata(Buffer::From({bytes.begin(), bytes.end()}));
}

std::string MetadataText(ByteSpan bytes) {
  return IsGzip(bytes) ? InflateGzip(bytes) : std::string(AsText(bytes));
}

}  // namespace nunatak::iceberg
