#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/inspect/health/column_sampler.h"
#include "nunatak/inspect/health/table_figures.h"
#include "nunatak/plan/snapshot_source.h"

namespace nunatak {

struct SweepOptions {
  TargetSizes targets;
  /// Whose metrics are looked at.
  std::vector<SampledColumn> columns;
  /// About how many data files' column metrics are looked at, at most: all of a smaller table, else
  /// a sample that depends on nothing but the files' names.
  int64_t max_sampled_files = 20'000;
};

/// Measures the live files of a snapshot in one pass over its manifests, as a plan without a filter
/// reads them: `data`, `deletes`, `manifests`, `columns` and `sampled_files`. What is held grows
/// with the partitions and the delete files, and with nothing else. Throws what planning throws.
NUNATAK_EXPORT void SweepFiles(std::shared_ptr<const SnapshotSource> source, const Context& context,
                               const SweepOptions& options, TableFigures* figures);

}  // namespace nunatak
