#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/iceberg/snapshot_choice.h"
#include "nunatak/iceberg/table.h"
#include "nunatak/inspect/health/health_finding.h"
#include "nunatak/inspect/health/table_figures.h"

namespace nunatak {

struct HealthOptions {
  /// Milliseconds since 1970-01-01 UTC: ages of snapshots are as of then.
  int64_t now_ms = 0;
  /// Whether the storage may be listed, for files that nothing names (`CountOrphans`).
  bool list = false;
};

/// What was measured of a table, and what is to be said about it.
struct HealthReport {
  /// As the table records it.
  std::string location;
  /// Null for a table without a snapshot.
  std::optional<int64_t> snapshot_id;
  int64_t measured_at_ms = 0;
  TableFigures figures;
  /// The most severe first.
  HealthFindings findings;
  int score = 100;
};

/// Measures a snapshot's files, and the table's history and metadata. Each manifest is read once
/// (file_sweep.h); data files are not opened. Throws what planning throws, and `kIo` when the
/// storage fails.
NUNATAK_EXPORT HealthReport MeasureHealth(const iceberg::Table& table,
                                          const iceberg::ChosenSnapshot& snapshot,
                                          const Context& context, const HealthOptions& options);

}  // namespace nunatak
