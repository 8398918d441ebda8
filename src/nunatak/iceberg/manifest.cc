#include "nunatak/iceberg/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/base/json.h"
#include "nunatak/iceberg/manifest_reader.h"
#include "nunatak/table/schema_json.h"

namespace nunatak::iceberg {

std::vector<ManifestEntry> Manifest::live_entries() const {
  std::vector<ManifestEntry> live;
  std::copy_if(entries.begin(), entries.end(), std::back_inserter(live),
               [](const ManifestEntry& entry) { return entry.is_live(); });
  return live;
}

namespace {

int64_t RequiredSequenceNumber(std::optional<int64_t> number, std::string_view field,
                               EntryStatus status) {
  if (number) return *number;
  ThrowInvalid(fmt::format("{} is null in an entry of status {}", field,
                           status == EntryStatus::kExisting ? "EXISTING" : "DELETED"),
               "only entries of status ADDED may inherit it from the manifest list");
}

std::vector<ManifestEntry> ReadEntries(const InflatedManifest& manifest, const ManifestShape& shape,
                                       const ManifestFile& file) {
  std::vector<ManifestEntry> entries;
  Inheritance inheritance(file, shape.format_version, shape.has_sequence_numbers);
  FileDecoder decoder(shape);
  avro::RecordCursor cursor(*shape.plan);
  for (const avro::Block& block : manifest.blocks()) {
    cursor.Reset(block);
    while (cursor.Next()) {
      WithContext(fmt::format("entry {}", entries.size()), [&] {
        const EntryHead head = DecodeHead(cursor, file.content, &inheritance);
        ManifestEntry& entry = entries.emplace_back();
        entry.status = head.status;
        entry.snapshot_id = head.snapshot_id;
        entry.sequence_number =
            RequiredSequenceNumber(head.sequence_number, "sequence_number", head.status);
        entry.file_sequence_number =
            RequiredSequenceNumber(head.file_sequence_number, "file_sequence_number", head.status);
        entry.data_file = decoder.Decode(cursor, head);
      });
    }
  }
  return entries;
}

Manifest ReadInflated(const InflatedManifest& inflated, const ManifestFile& file,
                      const PartitionSpec& spec, const Type& partition_type, Schema schema) {
  RefuseEncrypted(file);
  const ManifestShape shape =
      MakeManifestShape(inflated.container(), spec, partition_type, EntryColumns::kAll);
  Manifest manifest;
  manifest.entries = ReadEntries(inflated, shape, file);
  CheckNotCut(file, inflated.size(), static_cast<int64_t>(manifest.entries.size()));
  manifest.partition_spec = spec;
  manifest.partition_spec_id = spec.spec_id;
  manifest.schema = std::move(schema);
  manifest.format_version = shape.format_version;
  manifest.content = file.content;
  return manifest;
}

/// Views the caller's bytes, which outlive the call.
Buffer Borrow(ByteSpan bytes) { return Buffer{bytes, nullptr}; }

JsonDocument HeaderJson(const avro::Container& container, std::string_view key) {
  const std::optional<ByteSpan> value = container.FindMetadata(key);
  if (!value) ThrowInvalid(fmt::format("header entry '{}' is missing", key));
  return WithContext(fmt::format("header entry '{}'", key),
                     [&] { return JsonDocument::Parse(AsText(*value)); });
}

}  // namespace

Manifest ReadManifest(ByteSpan bytes, const ManifestFile& file) {
  const InflatedManifest inflated(Borrow(bytes));
  const avro::Container& container = inflated.container();
  const JsonDocument schema_json = HeaderJson(container, "schema");
  const JsonDocument spec_json = HeaderJson(container, "partition-spec");
  Schema schema =
      WithContext("header entry 'schema'", [&] { return SchemaFromJson(schema_json.root()); });
  PartitionSpec spec;
  spec.spec_id = ReadManifestHeader(container).partition_spec_id.value_or(file.partition_spec_id);
  spec.fields = WithContext("header entry 'partition-spec'",
                            [&] { return PartitionFieldsFromJson(spec_json.root().Array()); });
  const Type partition_type = spec.PartitionType(schema);
  return ReadInflated(inflated, file, spec, partition_type, std::move(schema));
}

Manifest ReadManifest(ByteSpan bytes, const ManifestFile& file, const PartitionSpec& spec,
                      const Type& partition_type) {
  return ReadInflated(InflatedManifest(Borrow(bytes)), file, spec, partition_type, Schema());
}

Manifest ReadManifest(FileIO& io, const ManifestFile& file) {
  const Buffer buffer = io.ReadAll(file.manifest_path);
  return WithContext(file.manifest_path, [&] { return ReadManifest(buffer.bytes, file); });
}

}  // namespace nunatak::iceberg
