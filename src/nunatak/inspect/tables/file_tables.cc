#include "nunatak/inspect/tables/file_tables.h"

#include <memory>
#include <utility>

#include "nunatak/iceberg/partition_types.h"
#include "nunatak/inspect/tables/file_columns.h"
#include "nunatak/inspect/tables/manifest_parts.h"
#include "nunatak/inspect/tables/row_values.h"
#include "nunatak/read/project/append_value.h"

namespace nunatak {

namespace {

using iceberg::ManifestEntry;

std::shared_ptr<const FileColumns> ColumnsOf(const iceberg::Table& table) {
  return std::make_shared<const FileColumns>(iceberg::MergedPartitionsOf(*table.metadata),
                                             table.metadata->current_schema());
}

MetadataTable FilesOf(const iceberg::Table& table, ManifestParts manifests) {
  const auto files = ColumnsOf(table);
  std::vector<Field> fields = files->fields();
  fields.push_back(files->readable_metrics());
  return {.schema = Schema(0, std::move(fields)),
          .parts = manifests.size(),
          .fetch = manifests.fetch(),
          .bytes = manifests.bytes(),
          .produce = [files, manifests](size_t part, RowBuilder& rows) {
            const bool metrics = FileColumns::HasMetrics(rows.columns());
            const iceberg::Manifest manifest = manifests.Read(part, metrics);
            for (const ManifestEntry& entry : manifest.entries) {
              if (!entry.is_live()) continue;
              for (size_t i = 0; i < rows.columns().size(); ++i) {
                files->Append(rows.columns()[i], entry.data_file, manifest.partition_spec,
                              rows.column(i));
              }
              rows.EndRow();
            }
          }};
}

/// Field ids of the specification, "Manifests".
enum Id : int32_t {
  kStatus = 0,
  kSnapshotId = 1,
  kDataFile = 2,
  kSequenceNumber = 3,
  kFileSequenceNumber = 4,
};

Value EntryValue(int32_t field_id, const ManifestEntry& entry) {
  switch (field_id) {
    case kStatus:
      return Value::Integer(static_cast<int>(entry.status));
    case kSnapshotId:
      return IntegerOrNull(entry.snapshot_id);
    case kSequenceNumber:
      return Value::Integer(entry.sequence_number);
    default:
      return Value::Integer(entry.file_sequence_number);
  }
}

void AppendEntry(const FileColumns& files, const Field& field, const ManifestEntry& entry,
                 const PartitionSpec& spec, arrow::ArrayBuilder& builder) {
  if (field.id == kDataFile) {
    files.AppendStruct(field.type.fields(), entry.data_file, spec, builder);
  } else if (field.id == files.readable_metrics().id) {
    files.Append(field, entry.data_file, spec, builder);
  } else {
    AppendValue(field.type, EntryValue(field.id, entry), builder);
  }
}

MetadataTable EntriesOf(const iceberg::Table& table, ManifestParts manifests) {
  const auto files = ColumnsOf(table);
  Schema schema(0, {RequiredField(kStatus, "status", TypeId::kInt),
                    OptionalField(kSnapshotId, "snapshot_id", TypeId::kLong),
                    OptionalField(kSequenceNumber, "sequence_number", TypeId::kLong),
                    OptionalField(kFileSequenceNumber, "file_sequence_number", TypeId::kLong),
                    RequiredField(kDataFile, "data_file", Type::Struct(files->fields())),
                    files->readable_metrics()});
  return {.schema = std::move(schema),
          .parts = manifests.size(),
          .fetch = manifests.fetch(),
          .bytes = manifests.bytes(),
          .produce = [files, manifests](size_t part, RowBuilder& rows) {
            const bool metrics = FileColumns::HasMetrics(rows.columns());
            const iceberg::Manifest manifest = manifests.Read(part, metrics);
            for (const ManifestEntry& entry : manifest.entries) {
              for (size_t i = 0; i < rows.columns().size(); ++i) {
                AppendEntry(*files, rows.columns()[i], entry, manifest.partition_spec,
                            rows.column(i));
              }
              rows.EndRow();
            }
          }};
}

}  // namespace

MetadataTable FilesTable(const iceberg::Table& table, const MetadataScope& scope) {
  return FilesOf(table, SnapshotManifests(table, scope.snapshot));
}

MetadataTable DataFilesTable(const iceberg::Table& table, const MetadataScope& scope) {
  return FilesOf(table, SnapshotManifests(table, scope.snapshot, ManifestChoice::kData));
}

MetadataTable DeleteFilesTable(const iceberg::Table& table, const MetadataScope& scope) {
  return FilesOf(table, SnapshotManifests(table, scope.snapshot, ManifestChoice::kDeletes));
}

MetadataTable AllFilesTable(const iceberg::Table& table, const MetadataScope&) {
  return FilesOf(table, AllManifests(table));
}

MetadataTable AllDataFilesTable(const iceberg::Table& table, const MetadataScope&) {
  return FilesOf(table, AllManifests(table, ManifestChoice::kData));
}

MetadataTable AllDeleteFilesTable(const iceberg::Table& table, const MetadataScope&) {
  return FilesOf(table, AllManifests(table, ManifestChoice::kDeletes));
}

MetadataTable EntriesTable(const iceberg::Table& table, const MetadataScope& scope) {
  return EntriesOf(table, SnapshotManifests(table, scope.snapshot));
}

MetadataTable AllEntriesTable(const iceberg::Table& table, const MetadataScope&) {
  return EntriesOf(table, AllManifests(table));
}

}  // namespace nunatak
