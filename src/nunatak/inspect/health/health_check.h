#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "nunatak/base/export.h"

namespace nunatak {

/// What `health` looks for; docs/health.md has the condition of each.
enum class HealthCheck : uint8_t {
  // Data files and partitions.
  kSmallFiles,
  kTinyPartitions,
  kPartitionSkew,
  // Manifests.
  kManyManifests,
  kSmallManifests,
  kBigManifests,
  // Deletes.
  kDeleteDebt,
  kEqualityDeletes,
  kDanglingDeletes,
  // Snapshots and metadata files.
  kExpiredSnapshots,
  kManySnapshots,
  kMetadataLog,
  kOldMetadata,
  kMetadataFile,
  kCommitRate,
  // Columns.
  kBoundsPruneNothing,
  kSortOrderLost,
  kMissingMetrics,
  kTruncatedBounds,
  // Layout.
  kOldSpecs,
  kStaleStatistics,
  kOrphanFiles,
};

/// What is the same for all findings of a check.
struct HealthCheckInfo {
  HealthCheck check;
  /// In kebab-case; stable.
  std::string_view name;
  /// Why it matters.
  std::string_view why;
  /// What to run, line by line; `db.table` stands for the table's name in its catalog.
  std::string_view remedy;
};

NUNATAK_EXPORT const HealthCheckInfo& InfoOf(HealthCheck check);
/// Every check, in the order of the enumeration.
NUNATAK_EXPORT std::span<const HealthCheckInfo> AllHealthChecks();

}  // namespace nunatak
