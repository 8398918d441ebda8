#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "nunatak/inspect/health/findings.h"
#include "nunatak/inspect/size_text.h"

namespace nunatak {

using nlohmann::ordered_json;

namespace {

/// So many small files of one partition are worth a compaction (as Iceberg's, `min-input-files`).
constexpr int64_t kMinInputFiles = 5;
/// Of files that compaction would save.
constexpr SeverityLevels kSavedFiles = {.info = 1, .warning = 100, .serious = 1000};
/// Of all files, for a severity above info.
constexpr double kSavedPart = 0.1;
/// Of the biggest partition to the median one.
constexpr SeverityLevels kSkew = {.info = 10, .warning = 100};
constexpr size_t kMinPartitions = 10;
/// Of partitions whose bytes would not fill a sixteenth of a file.
constexpr SeverityLevels kTinyPartitions = {.info = 100, .warning = 1000, .serious = 10'000};
constexpr int64_t kTinyPart = 16;
constexpr size_t kNamedPartitions = 10;

int64_t CeilDivide(int64_t a, int64_t b) { return a / b + (a % b > 0 ? 1 : 0); }

/// How many files fewer there would be if the partition's small files were as big as the target.
int64_t SavedFiles(const PartitionFigures& partition, int64_t target) {
  if (partition.small_files < kMinInputFiles) return 0;
  return partition.small_files - std::max<int64_t>(CeilDivide(partition.small_bytes, target), 1);
}

ordered_json RowOf(const PartitionFigures& partition) {
  return {{"partition", partition.name},
          {"files", partition.files},
          {"small_files", partition.small_files},
          {"bytes", partition.bytes}};
}

/// The first partitions by some order.
template <typename More>
ordered_json First(std::vector<const PartitionFigures*> partitions, More more) {
  const size_t count = std::min(partitions.size(), kNamedPartitions);
  std::partial_sort(partitions.begin(), partitions.begin() + static_cast<std::ptrdiff_t>(count),
                    partitions.end(), [&](const PartitionFigures* a, const PartitionFigures* b) {
                      return more(*a, *b) || (!more(*b, *a) && a->name < b->name);
                    });
  ordered_json rows = ordered_json::array();
  for (size_t i = 0; i < count; ++i) rows.push_back(RowOf(*partitions[i]));
  return rows;
}

void FindSmallFiles(const TableFigures& figures, HealthFindings* findings) {
  const int64_t target = figures.targets.data_file_bytes;
  int64_t saved = 0;
  std::vector<const PartitionFigures*> fragmented;
  for (const auto& [key, partition] : figures.data.partitions) {
    const int64_t files = SavedFiles(partition, target);
    saved += files;
    if (files > 0) fragmented.push_back(&partition);
  }
  auto severity = kSavedFiles.Of(static_cast<double>(saved));
  if (!severity) return;
  const double part = static_cast<double>(saved) / static_cast<double>(figures.data.files);
  if (part < kSavedPart) severity = HealthSeverity::kInfo;
  const auto partitions = static_cast<int64_t>(fragmented.size());
  findings->push_back(
      {.check = HealthCheck::kSmallFiles,
       .severity = *severity,
       .title = fmt::format("{} of {} data files are smaller than {}; compaction would leave {} "
                            "files fewer",
                            figures.data.small_files, figures.data.files,
                            SizeText(figures.targets.small_file_bytes()), saved),
       .figures = {{"data_files", figures.data.files},
                   {"small_files", figures.data.small_files},
                   {"small_below_bytes", figures.targets.small_file_bytes()},
                   {"target_file_bytes", target},
                   {"average_file_bytes", figures.data.bytes / figures.data.files},
                   {"saved_files", saved},
                   {"fragmented_partitions", partitions},
                   {"partitions", First(std::move(fragmented), [](const auto& a, const auto& b) {
                      return a.small_files > b.small_files;
                    })}}});
}

/// Partitions of the current spec.
std::vector<const PartitionFigures*> CurrentPartitions(const TableFigures& figures) {
  std::vector<const PartitionFigures*> partitions;
  for (const auto& [key, partition] : figures.data.partitions) {
    if (partition.spec_id == figures.default_spec_id) partitions.push_back(&partition);
  }
  return partitions;
}

void FindTinyPartitions(const TableFigures& figures,
                        const std::vector<const PartitionFigures*>& partitions,
                        HealthFindings* findings) {
  const int64_t tiny = figures.targets.data_file_bytes / kTinyPart;
  std::vector<const PartitionFigures*> found;
  std::copy_if(partitions.begin(), partitions.end(), std::back_inserter(found),
               [tiny](const PartitionFigures* partition) { return partition->bytes < tiny; });
  const auto severity = kTinyPartitions.Of(static_cast<double>(found.size()));
  // Where most are big, it is the data that is so.
  if (!severity || found.size() * 2 < partitions.size()) return;
  findings->push_back({.check = HealthCheck::kTinyPartitions,
                       .severity = *severity,
                       .title = fmt::format("{} of {} partitions hold less than {} in all",
                                            found.size(), partitions.size(), SizeText(tiny)),
                       .figures = {{"partitions", partitions.size()},
                                   {"tiny_partitions", found.size()},
                                   {"tiny_below_bytes", tiny}}});
}

void FindSkew(const TableFigures& figures, std::vector<const PartitionFigures*> partitions,
              HealthFindings* findings) {
  if (partitions.size() < kMinPartitions) return;
  const auto by_bytes = [](const PartitionFigures* a, const PartitionFigures* b) {
    return a->bytes < b->bytes;
  };
  const auto middle = partitions.begin() + static_cast<std::ptrdiff_t>(partitions.size() / 2);
  std::nth_element(partitions.begin(), middle, partitions.end(), by_bytes);
  const int64_t median = (*middle)->bytes;
  const PartitionFigures& biggest =
      **std::max_element(partitions.begin(), partitions.end(), by_bytes);
  // What fits into one file is no burden.
  if (biggest.bytes <= figures.targets.data_file_bytes) return;
  const double ratio =
      static_cast<double>(biggest.bytes) / static_cast<double>(std::max<int64_t>(median, 1));
  const auto severity = kSkew.Of(ratio);
  if (!severity) return;
  findings->push_back(
      {.check = HealthCheck::kPartitionSkew,
       .severity = *severity,
       .title = fmt::format("partition {} holds {}, {:.0f} times as much as the median one",
                            biggest.name, SizeText(biggest.bytes), ratio),
       .figures = {{"partitions", partitions.size()},
                   {"median_bytes", median},
                   {"biggest_bytes", biggest.bytes},
                   {"biggest_to_median", ratio},
                   {"biggest", First(std::move(partitions), [](const auto& a, const auto& b) {
                      return a.bytes > b.bytes;
                    })}}});
}

}  // namespace

void FindInFiles(const TableFigures& figures, HealthFindings* findings) {
  FindSmallFiles(figures, findings);
  if (!figures.partitioned) return;
  const std::vector<const PartitionFigures*> partitions = CurrentPartitions(figures);
  FindTinyPartitions(figures, partitions, findings);
  FindSkew(figures, partitions, findings);
}

}  // namespace nunatak
