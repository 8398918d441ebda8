#include "nunatak/inspect/health/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "nunatak/inspect/size_text.h"
#include "nunatak/table/datetime.h"

namespace nunatak {

namespace {

constexpr size_t kMaxPartitions = 20;
constexpr size_t kMaxColumns = 30;
constexpr int64_t kMaxPeriods = 30;
constexpr int64_t kMinuteMs = 60'000;

Chart FileSizes(const DataFileFigures& data) {
  Chart chart{.name = "file-sizes", .title = "Data files by size", .unit = "files", .bars = {}};
  const auto is_used = [](int64_t files) { return files > 0; };
  const auto first = std::find_if(data.by_size.begin(), data.by_size.end(), is_used);
  const auto last = std::find_if(data.by_size.rbegin(), data.by_size.rend(), is_used).base();
  for (auto at = first; at < last; ++at) {
    const int64_t from = int64_t{1} << (at - data.by_size.begin());
    chart.bars.push_back({"from " + SizeText(from), static_cast<double>(*at)});
  }
  return chart;
}

Chart FilesPerPartition(const DataFileFigures& data) {
  Chart chart{.name = "files-per-partition",
              .title = "Partitions with most data files",
              .unit = "files",
              .bars = {}};
  std::vector<const PartitionFigures*> partitions;
  for (const auto& [key, partition] : data.partitions) partitions.push_back(&partition);
  const size_t count = std::min(partitions.size(), kMaxPartitions);
  std::partial_sort(partitions.begin(), partitions.begin() + static_cast<std::ptrdiff_t>(count),
                    partitions.end(), [](const PartitionFigures* a, const PartitionFigures* b) {
                      return a->files != b->files ? a->files > b->files : a->name < b->name;
                    });
  for (size_t i = 0; i < count; ++i) {
    const std::string& name = partitions[i]->name;
    chart.bars.push_back(
        {name.empty() ? "whole table" : name, static_cast<double>(partitions[i]->files)});
  }
  return chart;
}

/// A time to the minute, in UTC; one that has no calendar date as a number.
std::string MinuteText(int64_t milliseconds) {
  int64_t micros = 0;
  if (__builtin_mul_overflow(milliseconds, int64_t{1000}, &micros)) {
    return fmt::format("{}", milliseconds);
  }
  const std::string text = FormatTimestamp(micros, 6, /*with_zone=*/false);
  return text.substr(0, text.find(':', text.find(':') + 1));
}

Chart Commits(const SnapshotFigures& snapshots) {
  Chart chart{.name = "commits", .title = "Commits over time (UTC)", .unit = "commits", .bars = {}};
  const std::vector<int64_t>& times = snapshots.commits_ms;
  if (times.empty()) return chart;
  int64_t span = 0;
  // Times that far apart are made up.
  if (__builtin_sub_overflow(times.back(), times.front(), &span)) return chart;
  const int64_t period = std::max(kMinuteMs, span / kMaxPeriods + 1);
  for (int64_t i = 0; i <= span / period; ++i) {
    chart.bars.push_back({MinuteText(times.front() + i * period), 0});
  }
  for (const int64_t time : times) {
    ++chart.bars[static_cast<size_t>((time - times.front()) / period)].value;
  }
  return chart;
}

Chart Depths(const std::vector<ColumnFigures>& columns) {
  Chart chart{.name = "overlap-depth",
              .title = "Data files in which a value of a column may lie, on average",
              .unit = "files",
              .bars = {}};
  for (const ColumnFigures& column : columns) {
    if (column.with_bounds > 0) chart.bars.push_back({column.name, column.depth.average});
  }
  std::stable_sort(chart.bars.begin(), chart.bars.end(),
                   [](const ChartBar& a, const ChartBar& b) { return a.value < b.value; });
  if (chart.bars.size() > kMaxColumns) chart.bars.resize(kMaxColumns);
  return chart;
}

Chart Debt(const DeleteFigures& deletes) {
  Chart chart{.name = "delete-debt",
              .title = "Data files by how many delete files apply to them",
              .unit = "files",
              .bars = {}};
  if (deletes.files() == 0) return chart;
  constexpr std::array<std::string_view, kDeleteBuckets> kLabels = {"none", "1", "2 to 4", "5 to 9",
                                                                    "10 and more"};
  for (size_t i = 0; i < kDeleteBuckets; ++i) {
    chart.bars.push_back(
        {std::string(kLabels[i]), static_cast<double>(deletes.data_files_by_deletes[i])});
  }
  return chart;
}

}  // namespace

std::vector<Chart> ChartsOf(const TableFigures& figures) {
  return {FileSizes(figures.data), FilesPerPartition(figures.data), Commits(figures.snapshots),
          Depths(figures.columns), Debt(figures.deletes)};
}

}  // namespace nunatak
