#include "nunatak/inspect/opened_metadata_table.h"

#include <algorithm>

#include "nunatak/inspect/tables/source_tables.h"
#include "nunatak/inspect/tables/version_tables.h"
#include "nunatak/open/no_meaning.h"
#include "nunatak/open/scan_input.h"

namespace nunatak {

MetadataTable MakeMetadataTable(const OpenedTable& opened, std::string_view name,
                                bool history_only) {
  const MetadataTableKind& kind = FindMetadataTable(name);
  if (const auto* iceberg = std::get_if<IcebergTable>(&opened.table)) {
    return kind.make(iceberg->table,
                     {.snapshot = iceberg->snapshot.snapshot, .history_only = history_only});
  }
  if (const auto* delta = std::get_if<DeltaTable>(&opened.table)) {
    if (name == "snapshots") return VersionsTable(delta->table, delta->snapshot);
    if (name == "history") return VersionHistoryTable(delta->table, delta->snapshot);
  }
  if (name == "files" || name == "data_files") return FilesTable(ListedFiles(opened));
  if (name == "partitions") return PartitionsTable(MakeScanInput(opened).source);
  ThrowNoMeaning(opened.format(), VerbOf(name));
}

std::string VerbOf(std::string_view table_name) {
  std::string verb(table_name);
  std::replace(verb.begin(), verb.end(), '_', '-');
  return verb;
}

}  // namespace nunatak
