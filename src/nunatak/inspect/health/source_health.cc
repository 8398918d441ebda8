#include "nunatak/inspect/health/source_health.h"

#include <algorithm>
#include <array>
#include <utility>

#include "nunatak/inspect/health/file_sweep.h"
#include "nunatak/inspect/health/findings.h"
#include "nunatak/open/no_meaning.h"
#include "nunatak/open/scan_input.h"

namespace nunatak {

namespace {

/// What helps in tables of other formats than Iceberg.
struct Remedy {
  TableFormat format;
  HealthCheck check;
  std::string_view text;
};

constexpr auto kRemedies = std::to_array<Remedy>({
    {TableFormat::kDelta, HealthCheck::kSmallFiles, "Spark: OPTIMIZE db.table"},
    {TableFormat::kDelta, HealthCheck::kTinyPartitions,
     "write the table anew with coarser partitions, or with CLUSTER BY instead of them"},
    {TableFormat::kDelta, HealthCheck::kPartitionSkew,
     "write the table anew with other partitions, or with CLUSTER BY instead of them"},
    {TableFormat::kDelta, HealthCheck::kDeleteDebt, "Spark: REORG TABLE db.table APPLY (PURGE)"},
    {TableFormat::kDelta, HealthCheck::kBoundsPruneNothing,
     "Spark: OPTIMIZE db.table ZORDER BY (<the columns that queries filter by>)\n"
     "and see what a query reads: nunatak explain TABLE --where ..."},
    {TableFormat::kDelta, HealthCheck::kMissingMetrics,
     "Spark: ALTER TABLE db.table SET TBLPROPERTIES ('delta.dataSkippingStatsColumns' = "
     "'<the columns that queries filter by>')\n"
     "then:  ANALYZE TABLE db.table COMPUTE DELTA STATISTICS"},
    {TableFormat::kHive, HealthCheck::kBoundsPruneNothing,
     "write the files anew, sorted by the columns that queries filter by\n"
     "and see what a query reads: nunatak explain TABLE --where ..."},
    {TableFormat::kHive, HealthCheck::kMissingMetrics,
     "write the files anew as Parquet, with statistics"},
    {TableFormat::kHive, HealthCheck::kSmallFiles, "write each directory anew as fewer files"},
    {TableFormat::kHive, HealthCheck::kTinyPartitions,
     "write the files anew with coarser partitions"},
    {TableFormat::kHive, HealthCheck::kPartitionSkew, "write the files anew with other partitions"},
});

std::string_view RemedyOf(TableFormat format, HealthCheck check) {
  const auto at = std::find_if(kRemedies.begin(), kRemedies.end(), [&](const Remedy& remedy) {
    return remedy.format == format && remedy.check == check;
  });
  return at == kRemedies.end() ? "write the files anew" : at->text;
}

/// Partitions by whose values columns are known without bounds.
std::set<int32_t> IdentitySpecs(const PartitionSpec& spec, int32_t field_id) {
  for (const PartitionField& field : spec.fields) {
    if (field.transform.id() == TransformId::kIdentity && field.source_id() == field_id) {
      return {spec.spec_id};
    }
  }
  return {};
}

/// Where the table lies, as it records it itself or as it was opened.
struct LocationOf {
  const std::string& operator()(const IcebergTable& opened) const {
    return opened.table.metadata->location;
  }
  const std::string& operator()(const DeltaTable& opened) const { return opened.table.location; }
  const std::string& operator()(const hive::Table& table) const { return table.location; }
};

std::vector<SampledColumn> ColumnsOf(const Schema& schema, const PartitionSpec& spec) {
  std::vector<SampledColumn> columns = ColumnsToSample(schema);
  for (SampledColumn& column : columns) {
    column.identity_specs = IdentitySpecs(spec, column.column.field_id);
  }
  return columns;
}

}  // namespace

HealthReport MeasureHealth(const OpenedTable& opened, const Context& context,
                           const HealthOptions& options) {
  if (const auto* iceberg = std::get_if<IcebergTable>(&opened.table)) {
    return MeasureHealth(iceberg->table, iceberg->snapshot, context, options);
  }
  if (options.list) ThrowNoMeaning(opened.format(), "health --list");
  const ScanInput input = MakeScanInput(opened);
  HealthReport report{.location = std::visit(LocationOf(), opened.table),
                      .snapshot_id = input.source->snapshot_id(),
                      .measured_at_ms = options.now_ms};
  TableFigures& figures = report.figures;
  figures.default_spec_id = input.spec.spec_id;
  figures.partitioned = !input.spec.IsUnpartitioned();
  SweepFiles(input.source, context, {.columns = ColumnsOf(opened.schema(), input.spec)}, &figures);
  // What the files are listed by is no manifest.
  figures.manifests = {};
  report.findings = FindAll(figures);
  for (HealthFinding& finding : report.findings) {
    finding.other_remedy = RemedyOf(opened.format(), finding.check);
  }
  report.score = HealthScore(report.findings);
  return report;
}

}  // namespace nunatak
