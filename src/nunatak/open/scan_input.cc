#include "nunatak/open/scan_input.h"

#include <charconv>
#include <string_view>
#include <utility>

#include "nunatak/iceberg/iceberg_source.h"
#include "nunatak/iceberg/incremental.h"
#include "nunatak/iceberg/partition_types.h"
#include "nunatak/iceberg/past_schemas.h"
#include "nunatak/read/name_mapping.h"
#include "nunatak/table/metadata_columns.h"

namespace nunatak {

namespace {

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
  if (!options.since) input.total_files = TotalFiles(opened.snapshot.snapshot);
  return input;
}

}  // namespace

ScanInput MakeScanInput(const OpenedTable& opened, const ScanInputOptions& options) {
  return std::visit([&](const auto& table) { return InputOf(table, options); }, opened.table);
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
