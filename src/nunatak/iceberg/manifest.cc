#include "nunatak/iceberg/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "nunatak/avro/record_cursor.h"
#include "nunatak/base/error.h"
#include "nunatak/base/json.h"
#include "nunatak/iceberg/entry_decoder.h"
#include "nunatak/iceberg/manifest_cache.h"
#include "nunatak/iceberg/manifest_reader.h"
#include "nunatak/iceberg/partition_types.h"
#include "nunatak/table/schema_json.h"

namespace nunatak::iceberg {

std::vector<ManifestEntry> Manifest::live_entries() const {
  std::vector<ManifestEntry> live;
  std::copy_if(entries.begin(), entries.end(), std::back_inserter(live),
               [](const ManifestEntry& entry) { return entry.is_live(); });
  return live;
}

namespace {

ManifestEntry DecodeEntry(EntrySlots slots, const EntryHead& head,
                          const ManifestReadOptions& options, FileDecoder* decoder) {
  CheckSequenceNumbers(head);
  ManifestEntry entry;
  entry.status = head.status;
  entry.snapshot_id = head.snapshot_id;
  entry.sequence_number = *head.sequence_number;
  entry.file_sequence_number = *head.file_sequence_number;
  decoder->Decode(slots, head, options.column_metrics, &entry.data_file);
  entry.data_file.partition = decoder->DecodePartition(slots);
  return entry;
}

std::vector<ManifestEntry> ReadEntries(const avro::Container& container, const ManifestShape& shape,
                                       const ManifestFile& file,
                                       const ManifestReadOptions& options) {
  std::vector<ManifestEntry> entries;
  Inheritance inheritance(file, shape.format_version, shape.has_sequence_numbers);
  FileDecoder decoder(shape);
  avro::RecordCursor cursor(*shape.plan);
  avro::Decompressor decompressor;
  avro::ByteBuffer buffer;
  for (const avro::CompressedBlock& block : container.blocks()) {
    cursor.Reset(container.ReadBlock(block, decompressor, buffer));
    while (cursor.Next()) {
      try {
        const EntryHead head = DecodeHead(cursor.slots(), file.content, &inheritance);
        entries.push_back(DecodeEntry(cursor.slots(), head, options, &decoder));
      } catch (Error& error) {
        error.AddContext(fmt::format("entry {}", entries.size()));
        throw;
      }
    }
  }
  return entries;
}

Manifest ReadContainer(const avro::Container& container, size_t size, const ManifestFile& file,
                       const PartitionSpec& spec, const Type& partition_type, ManifestCache* cache,
                       const ManifestReadOptions& options) {
  RefuseEncrypted(file);
  const std::shared_ptr<const ManifestShape> shape =
      (*CacheOrNone(cache)).Shape(container, spec, partition_type, SpecKey(spec, partition_type));
  Manifest manifest;
  manifest.entries = ReadEntries(container, *shape, file, options);
  CheckNotCut(file, size, static_cast<int64_t>(manifest.entries.size()));
  manifest.partition_spec = spec;
  manifest.partition_spec_id = spec.spec_id;
  manifest.format_version = shape->format_version;
  manifest.content = file.content;
  return manifest;
}

JsonDocument HeaderJson(const avro::Container& container, std::string_view key) {
  const std::optional<ByteSpan> value = container.FindMetadata(key);
  if (!value) ThrowInvalid(fmt::format("header entry '{}' is missing", key));
  return WithContext(fmt::format("header entry '{}'", key),
                     [&] { return JsonDocument::Parse(AsText(*value)); });
}

}  // namespace

Manifest ReadManifest(ByteSpan bytes, const ManifestFile& file, ManifestCache* cache) {
  const avro::Container container(bytes);
  const JsonDocument schema_json = HeaderJson(container, "schema");
  const JsonDocument spec_json = HeaderJson(container, "partition-spec");
  Schema schema =
      WithContext("header entry 'schema'", [&] { return SchemaFromJson(schema_json.root()); });
  PartitionSpec spec;
  spec.spec_id = ReadManifestHeader(container).partition_spec_id.value_or(file.partition_spec_id);
  spec.fields = WithContext("header entry 'partition-spec'",
                            [&] { return PartitionFieldsFromJson(spec_json.root().Array()); });
  const Type partition_type = spec.PartitionType(schema);
  Manifest manifest = ReadContainer(container, bytes.size(), file, spec, partition_type, cache, {});
  manifest.schema = std::move(schema);
  return manifest;
}

Manifest ReadManifest(ByteSpan bytes, const ManifestFile& file, const PartitionSpec& spec,
                      const Type& partition_type, ManifestCache* cache,
                      const ManifestReadOptions& options) {
  return ReadContainer(avro::Container(bytes), bytes.size(), file, spec, partition_type, cache,
                       options);
}

std::optional<int32_t> ReadManifestSchemaId(ByteSpan bytes) {
  const avro::Container container(bytes);
  if (const std::optional<int32_t> id = ReadManifestHeader(container).schema_id) return id;
  if (!container.FindMetadata("schema")) return std::nullopt;
  return HeaderJson(container, "schema").root().Object().FindInt32("schema-id");
}

Manifest ReadManifest(FileIO& io, const ManifestFile& file, ManifestCache* cache) {
  const Buffer buffer = ReadCached(io, file.manifest_path, cache);
  return WithContext(file.manifest_path, [&] { return ReadManifest(buffer.bytes, file, cache); });
}

}  // namespace nunatak::iceberg
