#include "nunatak/inspect/tables/file_tables.h"

#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "nunatak/iceberg/partition_types.h"
#include "nunatak/inspect/tables/file_columns.h"
#include "nunatak/inspect/tables/file_rows.h"
#include "nunatak/inspect/tables/manifest_parts.h"
#include "nunatak/inspect/tables/row_values.h"
#include "nunatak/read/project/append_value.h"

namespace nunatak {

namespace {

/// The places of the entries that are not DELETED.
std::vector<uint32_t> LiveEntries(const ManifestRows& manifest) {
  std::vector<uint32_t> live;
  for (uint32_t i = 0; i < manifest.size(); ++i) {
    if (manifest.head(i).status != iceberg::EntryStatus::kDeleted) live.push_back(i);
  }
  return live;
}

std::vector<uint32_t> AllEntries(const ManifestRows& manifest) {
  std::vector<uint32_t> all(manifest.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::shared_ptr<const FileColumns> ColumnsOf(const iceberg::Table& table) {
  return std::make_shared<const FileColumns>(iceberg::MergedPartitionsOf(*table.metadata),
                                             table.metadata->current_schema());
}

MetadataTable FilesOf(const iceberg::Table& table, const ManifestParts& manifests) {
  const auto files = ColumnsOf(table);
  std::vector<Field> fields = files->fields();
  fields.push_back(files->readable_metrics());
  return {.schema = Schema(0, std::move(fields)),
          .parts = manifests.size(),
          .fetch = manifests.fetch(),
          .bytes = manifests.bytes(),
          .open = [files, manifests](size_t part, std::span<const Field>) {
            const auto manifest = manifests.Rows(part);
            return StreamFiles(manifest, LiveEntries(*manifest),
                               [files](const Field& column) { return files->MakeColumn(column); });
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

ValueView EntryValue(int32_t field_id, const iceberg::EntryHead& head) {
  switch (field_id) {
    case kStatus:
      return ValueView::Integer(static_cast<int>(head.status));
    case kSnapshotId:
      return head.snapshot_id ? ValueView::Integer(*head.snapshot_id) : ValueView();
    case kSequenceNumber:
      return ValueView::Integer(*head.sequence_number);
    default:
      return ValueView::Integer(*head.file_sequence_number);
  }
}

FileColumnPtr MakeEntryColumn(const FileColumns& files, const Field& column,
                              const ManifestRows& manifest) {
  if (column.id == kDataFile) return files.MakeColumns(column.type);
  if (column.id == files.readable_metrics().id) return files.MakeColumn(column);
  return MakeBuiltColumn(column.type, [&](FileRun& run, arrow::ArrayBuilder& builder) {
    for (const uint32_t entry : run.files()) {
      AppendScalar(column.type, EntryValue(column.id, manifest.head(entry)), builder);
    }
  });
}

MetadataTable EntriesOf(const iceberg::Table& table, const ManifestParts& manifests) {
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
          .open = [files, manifests](size_t part, std::span<const Field>) {
            const auto manifest = manifests.Rows(part);
            return StreamFiles(manifest, AllEntries(*manifest),
                               [files, manifest](const Field& column) {
                                 return MakeEntryColumn(*files, column, *manifest);
                               });
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
