#include "nunatak/open/scan_input.h"

#include <charconv>
#include <string_view>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/hive/table.h"
#include "nunatak/iceberg/iceberg_source.h"
#include "nunatak/iceberg/incremental.h"
#include "nunatak/iceberg/partition_types.h"
#include "nunatak/iceberg/past_schemas.h"
#include "nunatak/read/name_mapping.h"
#include "nunatak/table/metadata_columns.h"

namespace nunatak {

namespace {

/// Partition fields have ids from 1000 on; no directory has so many columns that these meet theirs.
constexpr int32_t kLastHiveColumnId = 999;

std::shared_ptr<const SnapshotSource> SourceOf(const IcebergTable& opened,
                                               const ScanInputOptions& options) {
  const iceberg::Snapshot* snapshot = opened.snapshot.snapshot;
  if (!options.since || !snapshot) {
    return iceberg::MakeSnapshotSource(opened.table, opened.snapshot, options.cache);
  }
  iceberg::SnapshotRange range{.from_exclusive = {}, .to_inclusive = snapshot->snapshot_id};
  if (*options.since != "-") {
    range.from_exclusive = iceberg::NamedSnapshotId(*opened.table.metadata, *options.since);
  }
  return iceberg::MakeAppendSource(opened.table, range, opened.snapshot.schema, options.cache);
}

/// How many data files a snapshot has, if its writer said so.
std::optional<int64_t> TotalFiles(const iceberg::Snapshot* snapshot) {
  if (snapshot == nullptr) return std::nullopt;
  const auto total = snapshot->summary.find("total-data-files");
  if (total == snapshot->summary.end()) return std::nullopt;
  const std::string& text = total->second;
  int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return count;
}

ScanInput InputOf(const IcebergTable& opened, const ScanInputOptions& options) {
  const std::shared_ptr<const iceberg::TableMetadata>& metadata = opened.table.metadata;
  ScanInput input;
  input.source = SourceOf(opened, options);
  input.request = RequestFor(metadata, WithMetadataColumns(*metadata, input.source->schema()),
                             input.source->schema());
  input.spec = metadata->default_spec();
  input.find_property = [metadata](std::string_view key) { return metadata->FindProperty(key); };
  input.group_nouns = "manifests";
  if (!options.since) input.total_files = TotalFiles(opened.snapshot.snapshot);
  return input;
}

ScanInput InputOf(const DeltaTable& opened, const ScanInputOptions& options) {
  if (options.since) {
    ThrowUnsupported(
        "--since has no meaning for a Delta table: its commits append, rewrite and remove at once",
        "nunatak changes shows the rows that each version inserted and deleted");
  }
  const delta::TableSchema& table = opened.snapshot->table_schema;
  const MergedPartitions partitions({{table.spec, table.spec.PartitionType(table.schema)}});
  ScanInput input;
  input.source = delta::MakeSnapshotSource(opened.table, *opened.snapshot);
  input.request = delta::ReadRequestOf(
      *opened.snapshot, WithMetadataColumns(table.schema, partitions.type(), table.last_id));
  input.spec = table.spec;
  // The properties of splits are another format's.
  input.find_property = [](std::string_view) -> std::optional<std::string_view> { return {}; };
  input.group_nouns = "parts of the log";
  return input;
}

ScanInput InputOf(const hive::Table& table, const ScanInputOptions& options) {
  if (options.since) {
    ThrowUnsupported("--since has no meaning for a Hive-style directory: it has no versions");
  }
  ScanInput input;
  input.source = hive::MakeSnapshotSource(table);
  input.request = hive::ReadRequestOf(
      table, WithMetadataColumns(table.schema, table.partition_type, kLastHiveColumnId));
  input.spec = table.spec;
  input.find_property = [](std::string_view) { return std::nullopt; };
  input.group_nouns = "directories";
  input.reads = [lists = table.list_calls, footers = table.footer_reads] {
    return std::vector<std::pair<std::string_view, int64_t>>{{"list calls", lists},
                                                             {"footer reads", *footers}};
  };
  return input;
}

}  // namespace

ScanInput MakeScanInput(const OpenedTable& opened, const ScanInputOptions& options) {
  return std::visit([&](const auto& table) { return InputOf(table, options); }, opened.table);
}

std::shared_ptr<const SnapshotSource> ListedFiles(const OpenedTable& opened) {
  if (const auto* table = std::get_if<hive::Table>(&opened.table)) {
    return hive::MakeSnapshotSource(*table, hive::EmptyFiles::kInclude);
  }
  return MakeScanInput(opened).source;
}

Schema WithMetadataColumns(const iceberg::TableMetadata& metadata, const Schema& schema) {
  return WithMetadataColumns(schema, iceberg::MergedPartitionsOf(metadata).type(),
                             metadata.last_column_id);
}

ReadRequest RequestFor(std::shared_ptr<const iceberg::TableMetadata> metadata, Schema schema,
                       Schema projection) {
  ReadRequest request{.schema = std::move(schema), .projection = std::move(projection)};
  const auto mapping = metadata->FindProperty(kNameMappingProperty);
  if (mapping) request.name_mapping = NameMapping::Parse(*mapping);
  request.past_schema = [metadata = std::move(metadata)](int32_t field_id) {
    return iceberg::PastSchemaWith(*metadata, field_id);
  };
  return request;
}

}  // namespace nunatak
