#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "nunatak/inspect/health/findings.h"

namespace nunatak {

using nlohmann::ordered_json;

namespace {

/// With fewer files there is little to rule out.
constexpr int64_t kMinFiles = 10;
/// A column whose typical value may lie in so many of the files prunes nothing.
constexpr double kNothing = 0.9;
/// In so many of the files the leading column of a sort order may overlap.
constexpr double kSorted = 0.1;
constexpr size_t kNamedColumns = 20;

using Columns = std::vector<const ColumnFigures*>;

template <typename Condition>
Columns ColumnsWhere(const TableFigures& figures, Condition condition) {
  Columns found;
  for (const ColumnFigures& column : figures.columns) {
    if (condition(column)) found.push_back(&column);
  }
  return found;
}

std::string Names(const Columns& columns) {
  constexpr size_t kShown = 5;
  std::string names;
  for (size_t i = 0; i < std::min(columns.size(), kShown); ++i) {
    names += (names.empty() ? "" : ", ") + columns[i]->name;
  }
  if (columns.size() > kShown) names += fmt::format(" and {} more", columns.size() - kShown);
  return names;
}

ordered_json RowsOf(const Columns& columns) {
  ordered_json rows = ordered_json::array();
  for (size_t i = 0; i < std::min(columns.size(), kNamedColumns); ++i) {
    const ColumnFigures& column = *columns[i];
    rows.push_back({{"column", column.name},
                    {"files_with_bounds", column.with_bounds},
                    {"files_without", column.missing},
                    {"files_truncated", column.truncated},
                    {"average_depth", column.depth.average},
                    {"overlap", column.overlap}});
  }
  return rows;
}

ordered_json FiguresOf(const TableFigures& figures, const Columns& columns) {
  return {{"sampled_files", figures.sampled_files},
          {"columns", columns.size()},
          {"details", RowsOf(columns)}};
}

void FindUseless(const TableFigures& figures, HealthFindings* findings) {
  const auto is_measured = [](const ColumnFigures& column) {
    return column.with_bounds >= kMinFiles;
  };
  const Columns measured = ColumnsWhere(figures, is_measured);
  const Columns useless = ColumnsWhere(figures, [&](const ColumnFigures& column) {
    return is_measured(column) && column.overlap >= kNothing;
  });
  if (useless.empty()) return;
  const bool nothing_prunes =
      useless.size() == measured.size() && figures.data.partitions.size() < 2;
  findings->push_back(
      {.check = HealthCheck::kBoundsPruneNothing,
       .severity = nothing_prunes ? HealthSeverity::kWarning : HealthSeverity::kInfo,
       .title = fmt::format("the bounds of {} of {} columns rule out next to nothing: {}",
                            useless.size(), measured.size(), Names(useless)),
       .figures = FiguresOf(figures, useless)});
}

void FindLostOrder(const TableFigures& figures, HealthFindings* findings) {
  const Columns lost = ColumnsWhere(figures, [](const ColumnFigures& column) {
    return column.leads_sort_order && column.with_bounds >= kMinFiles && column.overlap > kSorted &&
           column.depth.average > 2;
  });
  if (lost.empty()) return;
  findings->push_back(
      {.check = HealthCheck::kSortOrderLost,
       .severity = lost[0]->overlap >= kNothing ? HealthSeverity::kWarning : HealthSeverity::kInfo,
       .title = fmt::format("a value of {}, by which the table is sorted, may lie in {:.1f} files "
                            "on average",
                            lost[0]->name, lost[0]->depth.average),
       .figures = FiguresOf(figures, lost)});
}

/// Half of the files and more, in a table of some files, is a warning.
HealthSeverity SeverityOf(const TableFigures& figures, const Columns& columns,
                          int64_t ColumnFigures::* count) {
  const bool is_bad = std::any_of(columns.begin(), columns.end(), [&](const ColumnFigures* column) {
    return 2 * (column->*count) >= figures.sampled_files;
  });
  return is_bad && figures.data.files >= kMinFiles ? HealthSeverity::kWarning
                                                   : HealthSeverity::kInfo;
}

void FindMissing(const TableFigures& figures, HealthFindings* findings) {
  const Columns missing = ColumnsWhere(figures, [](const ColumnFigures& column) {
    return column.missing > 0 && !column.bounds_off;
  });
  if (missing.empty()) return;
  findings->push_back(
      {.check = HealthCheck::kMissingMetrics,
       .severity = SeverityOf(figures, missing, &ColumnFigures::missing),
       .title = fmt::format("files lack the bounds of {} column{}: {}", missing.size(),
                            missing.size() == 1 ? "" : "s", Names(missing)),
       .figures = FiguresOf(figures, missing)});
}

void FindTruncated(const TableFigures& figures, HealthFindings* findings) {
  const Columns truncated =
      ColumnsWhere(figures, [](const ColumnFigures& column) { return column.truncated > 0; });
  if (truncated.empty()) return;
  findings->push_back(
      {.check = HealthCheck::kTruncatedBounds,
       .severity = SeverityOf(figures, truncated, &ColumnFigures::truncated),
       .title = fmt::format("bounds of {} column{} are cut where values still agree: {}",
                            truncated.size(), truncated.size() == 1 ? "" : "s", Names(truncated)),
       .figures = FiguresOf(figures, truncated)});
}

}  // namespace

void FindInColumns(const TableFigures& figures, HealthFindings* findings) {
  FindUseless(figures, findings);
  FindLostOrder(figures, findings);
  FindMissing(figures, findings);
  FindTruncated(figures, findings);
}

}  // namespace nunatak
