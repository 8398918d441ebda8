#include "nunatak/cli/scan_options.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>
#include <utility>

#include "nunatak/iceberg/iceberg_source.h"
#include "nunatak/iceberg/incremental.h"
#include "nunatak/iceberg/past_schemas.h"
#include "nunatak/inspect/partition_type.h"
#include "nunatak/inspect/size_text.h"
#include "nunatak/read/name_mapping.h"
#include "nunatak/table/metadata_columns.h"

namespace nunatak::cli {

void ScanCommandOptions::AddWhereTo(CLI::App* verb) {
  verb->add_option("--where", where,
                   "Filter: SQL-like text, or the REST specification's expression JSON")
      ->type_name("FILTER");
  verb->add_option("--since", since,
                   "Only what appends added after this snapshot (id, ref or time; -: all appends)")
      ->type_name("SNAPSHOT");
  cache.AddTo(verb);
  memory.AddTo(verb);
}

void ScanCommandOptions::AddPruningTo(CLI::App* verb) {
  verb->add_flag("--no-pruning", no_pruning,
                 "Read every row group of the planned files, whatever its statistics say");
}

CLI::Option* AddLimit(CLI::App* verb, std::optional<int64_t>* limit) {
  return AddNumber(verb, "--limit", "Stop after this many rows", limit)
      ->type_name("N")
      ->check([](const std::string& text) {
        return text.starts_with('-') ? "must be 0 or more" : std::string();
      });
}

Context MakeContext(const MemoryOption& memory) {
  Context context;
  context.memory_budget = memory.Budget();
  context.executor = MakeThreadPool(static_cast<int>(std::thread::hardware_concurrency()));
  return context;
}

Progress ShowReads(std::string doing, std::shared_ptr<FileIO> io) {
  return Progress(Terminal::Of(stderr), [doing = std::move(doing), io = std::move(io)] {
    const IoCounters counters = io->counters();
    return fmt::format("{}: {} requests, {}", doing, counters.requests,
                       SizeText(counters.bytes_read));
  });
}

namespace {

std::shared_ptr<const SnapshotSource> MakeSource(const ScanCommandOptions& options,
                                                 const OpenedTable& opened,
                                                 std::shared_ptr<iceberg::ManifestCache> cache) {
  const iceberg::Snapshot* snapshot = opened.snapshot.snapshot;
  if (!options.since || !snapshot) {
    return iceberg::MakeSnapshotSource(opened.table, opened.snapshot, std::move(cache));
  }
  iceberg::SnapshotRange range{.from_exclusive = {}, .to_inclusive = snapshot->snapshot_id};
  if (*options.since != "-") {
    range.from_exclusive = iceberg::NamedSnapshotId(*opened.table.metadata, *options.since);
  }
  return iceberg::MakeAppendSource(opened.table, range, opened.snapshot.schema, std::move(cache));
}

}  // namespace

OpenedScan OpenScan(const ScanCommandOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  OpenedScan scan{Open(options), options.cache.Cache(), nullptr, {}, {}};
  scan.source = MakeSource(options, scan.opened, scan.cache);
  const iceberg::TableMetadata& metadata = *scan.opened.table.metadata;
  scan.schema = WithMetadataColumns(metadata, scan.source->schema());
  scan.filter = BindFilter(options.where, scan.schema, !options.ignore_case);
  scan.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return scan;
}

Schema WithMetadataColumns(const iceberg::TableMetadata& metadata, const Schema& schema) {
  return nunatak::WithMetadataColumns(schema, MergedPartitions(metadata).type(),
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

}  // namespace nunatak::cli
