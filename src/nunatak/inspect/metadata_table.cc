#include "nunatak/inspect/metadata_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "nunatak/base/error.h"
#include "nunatak/inspect/tables/file_tables.h"
#include "nunatak/inspect/tables/history_tables.h"
#include "nunatak/inspect/tables/manifest_tables.h"
#include "nunatak/inspect/tables/partitions_table.h"
#include "nunatak/inspect/tables/position_deletes_table.h"
#include "nunatak/inspect/tables/statistics_tables.h"

namespace nunatak {

namespace {

constexpr auto kKinds = std::to_array<MetadataTableKind>({
    {"snapshots", "The versions of the table", SnapshotsTable},
    {"history", "Which snapshot was current when", HistoryTable},
    {"refs", "The branches and tags", RefsTable},
    {"metadata_log_entries", "The metadata files, and which snapshot was current in each",
     MetadataLogEntriesTable},
    {"commit_files", "How many files of each kind each commit added", CommitFilesTable},
    {"manifests", "The manifests of a snapshot", ManifestsTable},
    {"manifest_schemas", "The manifests of a snapshot, with the schema each was written with",
     ManifestSchemasTable},
    {"all_manifests", "The manifests of every snapshot", AllManifestsTable},
    {"files", "The live data and delete files, with their metrics", FilesTable},
    {"data_files", "The live data files, with their metrics", DataFilesTable},
    {"delete_files", "The live delete files and deletion vectors", DeleteFilesTable},
    {"all_files", "The data and delete files of every snapshot", AllFilesTable},
    {"all_data_files", "The data files of every snapshot", AllDataFilesTable},
    {"all_delete_files", "The delete files of every snapshot", AllDeleteFilesTable},
    {"entries", "The manifest entries, deleted ones included", EntriesTable},
    {"all_entries", "The manifest entries of every snapshot", AllEntriesTable},
    {"partitions", "The partitions, with what each holds", PartitionsTable},
    {"position_deletes", "The rows that position deletes and deletion vectors remove",
     PositionDeletesTable},
    {"statistics_files", "The statistics files, and the sketches in them", StatisticsFilesTable},
    {"partition_statistics_files", "The files of statistics per partition",
     PartitionStatisticsFilesTable},
});

}  // namespace

std::span<const MetadataTableKind> MetadataTableKinds() { return kKinds; }

const MetadataTableKind& FindMetadataTable(std::string_view name) {
  const auto at = std::find_if(kKinds.begin(), kKinds.end(),
                               [name](const MetadataTableKind& kind) { return kind.name == name; });
  if (at != kKinds.end()) return *at;
  std::string names;
  for (const MetadataTableKind& kind : kKinds) {
    names += (names.empty() ? "" : ", ") + std::string(kind.name);
  }
  ThrowUsage(fmt::format("there is no metadata table '{}'", name), "there are " + names);
}

}  // namespace nunatak
