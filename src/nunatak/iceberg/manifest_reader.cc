#include "nunatak/iceberg/manifest_reader.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/iceberg/table_metadata.h"

namespace nunatak::iceberg {

namespace {

std::optional<int32_t> HeaderInteger(const avro::Container& container, std::string_view key) {
  const std::optional<ByteSpan> value = container.FindMetadata(key);
  if (!value) return std::nullopt;
  const std::string_view text = AsText(*value);
  int32_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// A tuple without one of the spec's fields cannot be compared with a filter or another tuple.
void CheckPartitionFields(const ManifestShape& shape) {
  for (size_t i = 0; i < shape.spec.fields.size(); ++i) {
    const PartitionField& field = shape.spec.fields[i];
    if (field.transform.id() == TransformId::kVoid) continue;
    if (shape.plan->Has(kFirstPartitionField + static_cast<int>(i))) continue;
    ThrowInvalid(fmt::format("partition field {} '{}' of spec {} is missing from the manifest's "
                             "schema",
                             field.field_id, field.name, shape.spec.spec_id),
                 "the manifest was written under another spec than its manifest list says");
  }
}

}  // namespace

ManifestHeader ReadManifestHeader(const avro::Container& container) {
  ManifestHeader header;
  header.format_version = HeaderInteger(container, "format-version");
  header.partition_spec_id = HeaderInteger(container, "partition-spec-id");
  header.schema_id = HeaderInteger(container, "schema-id");
  if (const std::optional<ByteSpan> content = container.FindMetadata("content")) {
    if (AsText(*content) == "data") header.content = ManifestContent::kData;
    if (AsText(*content) == "deletes") header.content = ManifestContent::kDeletes;
  }
  return header;
}

ManifestShape MakeManifestShape(std::shared_ptr<const avro::Schema> schema, ManifestHeader header,
                                const PartitionSpec& spec, const Type& partition_type) {
  ManifestShape shape;
  shape.spec = spec;
  shape.partition_type = partition_type;
  shape.plan = avro::DecodePlan::Compile(std::move(schema), EntryFields(spec));
  shape.has_sequence_numbers =
      shape.plan->Has(kSequenceNumber) || shape.plan->Has(kFileSequenceNumber);
  shape.format_version = header.format_version.value_or(shape.has_sequence_numbers ? 2 : 1);
  if (shape.format_version > kMaxFormatVersion) {
    ThrowUnsupported(fmt::format("manifest of format version {}", shape.format_version),
                     fmt::format("this build reads versions 1 to {}", kMaxFormatVersion));
  }
  CheckPartitionFields(shape);
  return shape;
}

void CheckNotCut(const ManifestFile& file, size_t bytes, int64_t entries) {
  if (static_cast<int64_t>(bytes) >= file.manifest_length) return;
  if (!file.added_files_count || !file.existing_files_count || !file.deleted_files_count) return;
  const int64_t counted =
      int64_t{*file.added_files_count} + *file.existing_files_count + *file.deleted_files_count;
  if (entries >= counted) return;
  ThrowInvalid(
      fmt::format("the manifest has {} entries in {} bytes, where its list records {} in {}",
                  entries, bytes, counted, file.manifest_length),
      "the file was truncated");
}

void RefuseEncrypted(const ManifestFile& file) {
  if (!file.key_metadata) return;
  ThrowUnsupported("the manifest is encrypted (key_metadata is set)",
                   "this build does not read encrypted tables");
}

}  // namespace nunatak::iceberg
