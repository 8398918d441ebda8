#include <fmt/format.h>

#include <array>

#include "nunatak/inspect/counted.h"
#include "nunatak/inspect/health/chart.h"
#include "nunatak/inspect/health/health_output.h"
#include "nunatak/inspect/json_values.h"
#include "nunatak/inspect/size_text.h"

namespace nunatak {

using nlohmann::ordered_json;

namespace {

ordered_json LinesOf(std::string_view text) {
  ordered_json lines = ordered_json::array();
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

ordered_json ColumnsToJson(const std::vector<ColumnFigures>& columns) {
  ordered_json rows = ordered_json::array();
  for (const ColumnFigures& column : columns) {
    rows.push_back({{"column", column.name},
                    {"field_id", column.field_id},
                    {"files_with_bounds", column.with_bounds},
                    {"files_without_values", column.without_values},
                    {"files_without_bounds", column.missing},
                    {"files_truncated", column.truncated},
                    {"average_depth", column.depth.average},
                    {"max_depth", column.depth.max},
                    {"overlap", column.overlap}});
  }
  return rows;
}

ordered_json ChartsToJson(const TableFigures& figures) {
  ordered_json charts = ordered_json::object();
  for (const Chart& chart : ChartsOf(figures)) {
    ordered_json bars = ordered_json::array();
    for (const ChartBar& bar : chart.bars) {
      bars.push_back({{"label", bar.label}, {"value", bar.value}});
    }
    charts[std::string(chart.name)] = std::move(bars);
  }
  return charts;
}

ordered_json FiguresToJson(const TableFigures& figures) {
  const DeleteFigures& deletes = figures.deletes;
  return {{"data_files", figures.data.files},
          {"data_bytes", figures.data.bytes},
          {"data_rows", figures.data.records},
          {"partitions", figures.data.partitions.size()},
          {"target_file_bytes", figures.targets.data_file_bytes},
          {"small_files", figures.data.small_files},
          {"manifests", figures.manifests.count()},
          {"manifest_bytes", figures.manifests.bytes},
          {"position_delete_files", deletes.position_files},
          {"position_delete_rows", deletes.position_records},
          {"deletion_vectors", deletes.vectors},
          {"deletion_vector_rows", deletes.vector_records},
          {"equality_delete_files", deletes.equality_files},
          {"equality_delete_rows", deletes.equality_records},
          {"snapshots", figures.snapshots.snapshots},
          {"expired_snapshots", figures.snapshots.expired},
          {"commits_of_last_day", figures.snapshots.commits_of_last_day},
          {"metadata_log_entries", figures.metadata.log_entries},
          {"metadata_bytes", figures.metadata.bytes},
          {"old_metadata_bytes", figures.metadata.old_bytes},
          {"sampled_files", figures.sampled_files}};
}

}  // namespace

ordered_json FindingToJson(const HealthFinding& finding) {
  return {{"check", finding.name()}, {"severity", ToString(finding.severity)},
          {"title", finding.title},  {"figures", finding.figures},
          {"why", finding.why()},    {"remedy", LinesOf(finding.remedy())}};
}

ordered_json HealthToJson(const HealthReport& report) {
  ordered_json findings = ordered_json::array();
  for (const HealthFinding& finding : report.findings) findings.push_back(FindingToJson(finding));
  return {{"location", report.location},
          {"snapshot_id", OrNull(report.snapshot_id)},
          {"measured_at", TimeJson(report.measured_at_ms)},
          {"score", report.score},
          {"findings", std::move(findings)},
          {"figures", FiguresToJson(report.figures)},
          {"columns", ColumnsToJson(report.figures.columns)},
          {"charts", ChartsToJson(report.figures)}};
}

std::string HealthVerdict(const HealthReport& report) {
  std::array<int, 3> counts = {};
  for (const HealthFinding& finding : report.findings) {
    ++counts[static_cast<size_t>(finding.severity)];
  }
  std::string found;
  for (const auto severity :
       {HealthSeverity::kSerious, HealthSeverity::kWarning, HealthSeverity::kInfo}) {
    const int count = counts[static_cast<size_t>(severity)];
    if (count == 0) continue;
    const bool plural = severity == HealthSeverity::kWarning && count > 1;
    found += fmt::format("{}{} {}{}", found.empty() ? "" : ", ", count, ToString(severity),
                         plural ? "s" : "");
  }
  return fmt::format("health {} of 100: {}", report.score, found.empty() ? "nothing found" : found);
}

std::string HealthSize(const HealthReport& report) {
  const TableFigures& figures = report.figures;
  return fmt::format("{} with {} and {}, {}, {}, {}, {}", Counted(figures.data.files, "data file"),
                     Counted(figures.data.records, "row"), SizeText(figures.data.bytes),
                     Counted(figures.deletes.files(), "delete file"),
                     Counted(figures.data.partitions.size(), "partition"),
                     Counted(figures.manifests.count(), "manifest"),
                     Counted(figures.snapshots.snapshots, "snapshot"));
}

}  // namespace nunatak
