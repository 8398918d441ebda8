#include <fmt/format.h>

#include "nunatak/inspect/health/findings.h"
#include "nunatak/inspect/json_values.h"
#include "nunatak/inspect/size_text.h"

namespace nunatak {

using nlohmann::ordered_json;

namespace {

/// Of the data files.
constexpr double kManyOldFiles = 0.5;
/// Of the records that the statistics counted.
constexpr double kMuchChanged = 0.2;
/// Of the bytes that were listed.
constexpr double kManyOrphans = 0.1;

void FindOldSpecs(const TableFigures& figures, HealthFindings* findings) {
  int64_t old = 0;
  ordered_json by_spec = ordered_json::object();
  for (const auto& [spec_id, files] : figures.data.files_by_spec) {
    if (spec_id != figures.default_spec_id) old += files;
    by_spec[std::to_string(spec_id)] = files;
  }
  if (old == 0) return;
  const double part = static_cast<double>(old) / static_cast<double>(figures.data.files);
  findings->push_back(
      {.check = HealthCheck::kOldSpecs,
       .severity = part >= kManyOldFiles ? HealthSeverity::kWarning : HealthSeverity::kInfo,
       .title = fmt::format("{} of {} data files are of an earlier partition spec than {}", old,
                            figures.data.files, figures.default_spec_id),
       .figures = {{"default_spec_id", figures.default_spec_id},
                   {"old_files", old},
                   {"files_by_spec", std::move(by_spec)}}});
}

void FindStaleStatistics(const TableFigures& figures, HealthFindings* findings) {
  if (!figures.stale_statistics) return;
  const StatisticsFigures& stale = *figures.stale_statistics;
  const bool much = !stale.snapshots_behind || stale.records_changed.value_or(0) >= kMuchChanged;
  const std::string behind =
      stale.snapshots_behind
          ? fmt::format("{} snapshots behind", *stale.snapshots_behind)
          : std::string(
                "of a snapshot that the current one does not descend from, as far as known");
  findings->push_back({.check = HealthCheck::kStaleStatistics,
                       .severity = much ? HealthSeverity::kWarning : HealthSeverity::kInfo,
                       .title = fmt::format("the newest statistics are {}", behind),
                       .figures = {{"snapshot_id", stale.snapshot_id},
                                   {"snapshots_behind", OrNull(stale.snapshots_behind)},
                                   {"records_changed_part", OrNull(stale.records_changed)}}});
}

void FindOrphans(const TableFigures& figures, HealthFindings* findings) {
  if (!figures.orphans || figures.orphans->files == 0) return;
  const OrphanFigures& orphans = *figures.orphans;
  const bool many = static_cast<double>(orphans.bytes) >=
                    kManyOrphans * static_cast<double>(orphans.listed_bytes);
  findings->push_back(
      {.check = HealthCheck::kOrphanFiles,
       .severity = many ? HealthSeverity::kWarning : HealthSeverity::kInfo,
       .title =
           fmt::format("{} of {} files under the table's location, {}, are named by no snapshot",
                       orphans.files, orphans.listed_files, SizeText(orphans.bytes)),
       .figures = {{"listed_files", orphans.listed_files},
                   {"listed_bytes", orphans.listed_bytes},
                   {"orphan_files", orphans.files},
                   {"orphan_bytes", orphans.bytes},
                   {"examples", orphans.examples}}});
}

}  // namespace

void FindInLayout(const TableFigures& figures, HealthFindings* findings) {
  FindOldSpecs(figures, findings);
  FindStaleStatistics(figures, findings);
  FindOrphans(figures, findings);
}

}  // namespace nunatak
