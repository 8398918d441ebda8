#include <fmt/format.h>

#include "nunatak/inspect/health/findings.h"
#include "nunatak/inspect/size_text.h"

namespace nunatak {

namespace {

/// Some tens to some thousands of manifests are fine.
constexpr int64_t kManyManifests = 10'000;
constexpr int64_t kFewManifests = 10;
/// What a manifest has at most, as a rule.
constexpr int64_t kManyFiles = 1000;
/// As many are merged by writers on their own (`commit.manifest.min-count-to-merge`).
constexpr SeverityLevels kSmallManifests = {.info = 100, .warning = 1000};

}  // namespace

void FindInManifests(const TableFigures& figures, HealthFindings* findings) {
  const ManifestFigures& manifests = figures.manifests;
  const int64_t count = manifests.count();
  const nlohmann::ordered_json measured = {{"data_manifests", manifests.data_manifests},
                                           {"delete_manifests", manifests.delete_manifests},
                                           {"small_manifests", manifests.small},
                                           {"big_manifests", manifests.big},
                                           {"bytes", manifests.bytes},
                                           {"biggest_bytes", manifests.max_bytes},
                                           {"most_files", manifests.max_files}};
  if (count > kManyManifests) {
    findings->push_back({.check = HealthCheck::kManyManifests,
                         .severity = HealthSeverity::kSerious,
                         .title = fmt::format("the snapshot has {} manifests, {} in all", count,
                                              SizeText(manifests.bytes)),
                         .figures = measured});
  }
  if (const auto severity = kSmallManifests.Of(static_cast<double>(manifests.small))) {
    findings->push_back(
        {.check = HealthCheck::kSmallManifests,
         .severity = *severity,
         .title = fmt::format("{} of {} manifests have fewer than 10 files and less than 1 MiB",
                              manifests.small, count),
         .figures = measured});
  }
  const bool is_crowded = count < kFewManifests && manifests.max_files > kManyFiles;
  if (manifests.big == 0 && !is_crowded) return;
  const bool is_few = manifests.big > 0 && count < kFewManifests;
  findings->push_back(
      {.check = HealthCheck::kBigManifests,
       .severity = is_few ? HealthSeverity::kWarning : HealthSeverity::kInfo,
       .title =
           fmt::format("of {} manifest{}, the biggest has {} and the fullest {} files", count,
                       count == 1 ? "" : "s", SizeText(manifests.max_bytes), manifests.max_files),
       .figures = measured});
}

}  // namespace nunatak
