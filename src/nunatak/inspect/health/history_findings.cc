#include <fmt/format.h>

#include "nunatak/inspect/health/findings.h"
#include "nunatak/inspect/size_text.h"

namespace nunatak {

namespace {

constexpr double kMiB = 1 << 20;

constexpr SeverityLevels kExpired = {.info = 1, .warning = 100, .serious = 1000};
constexpr SeverityLevels kSnapshots = {.warning = 1000, .serious = 10'000};
constexpr SeverityLevels kOldBytes = {
    .info = 100 * kMiB, .warning = 1024 * kMiB, .serious = 10 * 1024 * kMiB};
constexpr SeverityLevels kMetadataBytes = {
    .info = 4 * kMiB, .warning = 16 * kMiB, .serious = 128 * kMiB};
/// Each five minutes, each minute, each ten seconds.
constexpr SeverityLevels kCommitsOfDay = {.info = 288, .warning = 1440, .serious = 8640};

void FindInSnapshots(const SnapshotFigures& snapshots, HealthFindings* findings) {
  if (const auto severity = kExpired.Of(static_cast<double>(snapshots.expired))) {
    findings->push_back(
        {.check = HealthCheck::kExpiredSnapshots,
         .severity = *severity,
         .title = fmt::format("{} of {} snapshots are past the table's own retention",
                              snapshots.expired, snapshots.snapshots),
         .figures = {{"snapshots", snapshots.snapshots}, {"expired", snapshots.expired}}});
  }
  if (const auto severity = kSnapshots.Of(static_cast<double>(snapshots.snapshots))) {
    findings->push_back({.check = HealthCheck::kManySnapshots,
                         .severity = *severity,
                         .title = fmt::format("the table keeps {} snapshots", snapshots.snapshots),
                         .figures = {{"snapshots", snapshots.snapshots}}});
  }
  if (const auto severity = kCommitsOfDay.Of(static_cast<double>(snapshots.commits_of_last_day))) {
    findings->push_back({.check = HealthCheck::kCommitRate,
                         .severity = *severity,
                         .title = fmt::format(
                             "{} commits in the 24 hours up to the last one, one every {} seconds",
                             snapshots.commits_of_last_day, 86'400 / snapshots.commits_of_last_day),
                         .figures = {{"commits_of_last_day", snapshots.commits_of_last_day}}});
  }
}

void FindInMetadata(const MetadataFigures& metadata, HealthFindings* findings) {
  // Once the log is full, each commit drops a file from it.
  const bool is_full = metadata.log_entries >= metadata.previous_versions_max;
  const bool is_longer = metadata.log_entries > metadata.previous_versions_max;
  if (is_longer || (is_full && !metadata.delete_after_commit)) {
    findings->push_back(
        {.check = HealthCheck::kMetadataLog,
         .severity =
             metadata.delete_after_commit ? HealthSeverity::kInfo : HealthSeverity::kWarning,
         .title = fmt::format(
             "the metadata log has {} entries, where {} are to be kept{}", metadata.log_entries,
             metadata.previous_versions_max,
             metadata.delete_after_commit ? "" : "; files that leave it are not deleted"),
         .figures = {{"log_entries", metadata.log_entries},
                     {"previous_versions_max", metadata.previous_versions_max},
                     {"delete_after_commit", metadata.delete_after_commit}}});
  }
  if (const auto severity = kOldBytes.Of(static_cast<double>(metadata.old_bytes))) {
    findings->push_back(
        {.check = HealthCheck::kOldMetadata,
         .severity = *severity,
         .title = fmt::format("{} earlier metadata files take {}", metadata.old_files,
                              SizeText(metadata.old_bytes)),
         .figures = {{"files", metadata.old_files}, {"bytes", metadata.old_bytes}}});
  }
  if (const auto severity = kMetadataBytes.Of(static_cast<double>(metadata.bytes))) {
    findings->push_back({.check = HealthCheck::kMetadataFile,
                         .severity = *severity,
                         .title = fmt::format("the metadata file has {}", SizeText(metadata.bytes)),
                         .figures = {{"bytes", metadata.bytes}}});
  }
}

}  // namespace

void FindInHistory(const TableFigures& figures, HealthFindings* findings) {
  FindInSnapshots(figures.snapshots, findings);
  FindInMetadata(figures.metadata, findings);
}

}  // namespace nunatak
