#include "nunatak/inspect/tables/source_tables.h"

#include <utility>
#include <vector>

#include "nunatak/inspect/source_files.h"
#include "nunatak/inspect/tables/data_file_records.h"
#include "nunatak/inspect/tables/file_columns.h"
#include "nunatak/inspect/tables/file_rows.h"
#include "nunatak/inspect/tables/partition_rows.h"

namespace nunatak {

MetadataTable FilesTable(std::shared_ptr<const SnapshotSource> source) {
  const SourceFiles parts(std::move(source));
  const auto columns =
      std::make_shared<const FileColumns>(parts.MergedSpecs(), parts.source().schema());
  std::vector<Field> fields = columns->fields();
  fields.push_back(columns->readable_metrics());
  return {.schema = Schema(0, std::move(fields)),
          .parts = parts.size(),
          .fetch = parts.fetch(),
          .open = [columns, parts](size_t part, std::span<const Field> asked) {
            std::vector<DataFile> files = parts.Read(part, columns->HasMetrics(asked));
            return StreamFiles(columns, std::make_shared<const DataFileRecords>(std::move(files),
                                                                                parts.spec(part)));
          }};
}

MetadataTable PartitionsTable(std::shared_ptr<const SnapshotSource> source) {
  const SourceFiles parts(std::move(source));
  const auto rows = std::make_shared<PartitionRows>(parts.MergedSpecs(), parts.size());
  MetadataTable partitions = PartitionRows::Table(rows, [rows, parts](size_t part) {
    for (const DataFile& file : parts.Read(part, /*column_metrics=*/false)) {
      rows->Add(part, parts.spec(part), file, nullptr);
    }
  });
  partitions.fetch = parts.fetch();
  return partitions;
}

}  // namespace nunatak
