#include "nunatak/inspect/health/health.h"

#include <algorithm>
#include <utility>

#include "nunatak/iceberg/iceberg_source.h"
#include "nunatak/inspect/health/file_sweep.h"
#include "nunatak/inspect/health/findings.h"
#include "nunatak/inspect/health/history_figures.h"
#include "nunatak/inspect/health/orphan_files.h"
#include "nunatak/inspect/health/table_properties.h"

namespace nunatak {

namespace {

TargetSizes TargetsOf(const iceberg::TableMetadata& metadata) {
  TargetSizes targets;
  const int64_t bytes =
      NumberProperty(metadata, "write.target-file-size-bytes", targets.data_file_bytes);
  if (bytes > 0) targets.data_file_bytes = bytes;
  return targets;
}

}  // namespace

HealthReport MeasureHealth(const iceberg::Table& table, const iceberg::ChosenSnapshot& snapshot,
                           const Context& context, const HealthOptions& options) {
  const iceberg::TableMetadata& metadata = *table.metadata;
  HealthReport report{.location = metadata.location, .measured_at_ms = options.now_ms};
  if (snapshot.snapshot) report.snapshot_id = snapshot.snapshot->snapshot_id;
  TableFigures& figures = report.figures;
  figures.targets = TargetsOf(metadata);
  figures.default_spec_id = metadata.default_spec_id;
  figures.partitioned = !metadata.default_spec().IsUnpartitioned();
  figures.snapshots = MeasureSnapshots(metadata, options.now_ms);
  figures.metadata = MeasureMetadata(table, context);
  figures.stale_statistics = MeasureStatistics(metadata, snapshot.snapshot);
  const SweepOptions sweep{.targets = figures.targets,
                           .columns = ColumnsToSample(metadata, snapshot.schema)};
  SweepFiles(iceberg::MakeSnapshotSource(table, snapshot), context, sweep, &figures);
  if (options.list) figures.orphans = CountOrphans(table, context);
  report.findings = FindAll(figures);
  report.score = HealthScore(report.findings);
  return report;
}

}  // namespace nunatak
