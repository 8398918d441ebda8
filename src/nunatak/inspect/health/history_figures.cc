#include "nunatak/inspect/health/history_figures.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/base/ordered_pipeline.h"
#include "nunatak/inspect/health/snapshot_retention.h"
#include "nunatak/inspect/health/table_properties.h"

namespace nunatak {

namespace {

constexpr int64_t kDayMs = int64_t{24} * 60 * 60 * 1000;
/// What Java counts when the property is not set.
constexpr int64_t kPreviousVersionsMax = 100;

/// The size of a file; nothing when it is gone.
std::optional<int64_t> SizeOf(FileIO& io, const std::string& location) {
  try {
    return io.Size(location);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kNotFound) throw;
    return std::nullopt;
  }
}

void MeasureOldMetadata(const iceberg::Table& table, const Context& context,
                        MetadataFigures* figures) {
  const auto& log = table.metadata->metadata_log;
  std::vector<std::optional<int64_t>> sizes(log.size());
  const auto look = [&](size_t i) { sizes[i] = SizeOf(*table.io, log[i].metadata_file); };
  const bool waits = table.io->waits();
  OrderedPipeline pipeline(context, {.count = log.size(),
                                     .fetch = waits ? std::function<void(size_t)>(look) : nullptr,
                                     .compute = [&](size_t i) {
                                       if (!waits) look(i);
                                     }});
  while (const std::optional<size_t> i = pipeline.Next()) {
    if (!sizes[*i]) continue;
    ++figures->old_files;
    figures->old_bytes += *sizes[*i];
  }
}

/// How far the newest statistics of these snapshots are behind.
std::optional<StatisticsFigures> BehindOf(const iceberg::TableMetadata& metadata,
                                          const iceberg::Snapshot& snapshot,
                                          const std::set<int64_t>& with_statistics) {
  if (with_statistics.empty()) return std::nullopt;
  int64_t behind = 0;
  std::set<int64_t> seen;
  for (std::optional<int64_t> id = snapshot.snapshot_id; id && seen.insert(*id).second;) {
    const iceberg::Snapshot* at = metadata.FindSnapshot(*id);
    if (!at) break;
    if (!with_statistics.contains(*id)) {
      behind += at->operation.value_or("") == "replace" ? 0 : 1;
      id = at->parent_snapshot_id;
      continue;
    }
    if (behind == 0) return std::nullopt;
    StatisticsFigures figures{.snapshot_id = *id, .snapshots_behind = behind};
    const auto before = SummaryCount(*at, "total-records");
    const auto now = SummaryCount(snapshot, "total-records");
    if (before && now && *before > 0) {
      const auto records = static_cast<double>(*before);
      figures.records_changed = std::abs(static_cast<double>(*now) - records) / records;
    }
    return figures;
  }
  return StatisticsFigures{.snapshot_id = *with_statistics.begin()};
}

bool IsFurtherBehind(const StatisticsFigures& a, const StatisticsFigures& b) {
  if (!a.snapshots_behind || !b.snapshots_behind) return !a.snapshots_behind;
  return *a.snapshots_behind > *b.snapshots_behind;
}

}  // namespace

SnapshotFigures MeasureSnapshots(const iceberg::TableMetadata& metadata, int64_t now_ms) {
  SnapshotFigures figures;
  figures.snapshots = static_cast<int64_t>(metadata.snapshots.size());
  figures.expired = static_cast<int64_t>(ExpiredSnapshots(metadata, now_ms).size());
  std::vector<int64_t>& commits = figures.commits_ms;
  for (size_t i = 0; i < metadata.snapshots.size(); ++i) {
    commits.push_back(metadata.snapshots.timestamp_ms(i));
  }
  std::sort(commits.begin(), commits.end());
  if (commits.empty()) return figures;
  int64_t since = 0;
  if (__builtin_sub_overflow(commits.back(), kDayMs, &since)) since = commits.front();
  figures.commits_of_last_day =
      commits.end() - std::upper_bound(commits.begin(), commits.end(), since);
  return figures;
}

MetadataFigures MeasureMetadata(const iceberg::Table& table, const Context& context) {
  const iceberg::TableMetadata& metadata = *table.metadata;
  MetadataFigures figures{
      .bytes = table.io->Size(table.metadata_location),
      .log_entries = static_cast<int64_t>(metadata.metadata_log.size()),
      .previous_versions_max =
          NumberProperty(metadata, "write.metadata.previous-versions-max", kPreviousVersionsMax),
      .delete_after_commit =
          FlagProperty(metadata, "write.metadata.delete-after-commit.enabled", false)};
  MeasureOldMetadata(table, context, &figures);
  return figures;
}

std::optional<StatisticsFigures> MeasureStatistics(const iceberg::TableMetadata& metadata,
                                                   const iceberg::Snapshot* snapshot) {
  if (!snapshot) return std::nullopt;
  std::set<int64_t> of_table;
  for (const auto& file : metadata.statistics) of_table.insert(file.snapshot_id);
  std::set<int64_t> of_partitions;
  for (const auto& file : metadata.partition_statistics) of_partitions.insert(file.snapshot_id);
  const auto table = BehindOf(metadata, *snapshot, of_table);
  const auto partitions = BehindOf(metadata, *snapshot, of_partitions);
  if (!table || !partitions) return table ? table : partitions;
  return IsFurtherBehind(*partitions, *table) ? partitions : table;
}

}  // namespace nunatak
