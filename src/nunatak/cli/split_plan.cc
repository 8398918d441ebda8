#include "nunatak/cli/split_plan.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/inspect/size_text.h"

namespace nunatak::cli {

namespace {

constexpr std::string_view kTargetSizeProperty = "read.split.target-size";

int64_t ParseSplitSize(const std::string& text) {
  const std::optional<int64_t> size = ParseSizeText(text);
  if (size && *size > 0) return *size;
  ThrowUsage(fmt::format("--split-size: '{}' is no size above 0", text),
             "bytes, or a number with a unit: 64MB");
}

}  // namespace

void SplitFlags::AddTo(CLI::App* verb) {
  verb->add_flag("--splits", by_properties,
                 "Cut files into splits, in groups, as the table's read.split.* properties say");
  verb->add_option("--split-size", size, "The same, with groups of this size: bytes, or 64MB")
      ->type_name("SIZE");
}

SplitOptions SplitFlags::OptionsFor(const SplitOptions::FindProperty& find) const {
  SplitOptions options = SplitOptions::FromProperties([&](std::string_view key) {
    const bool overridden = size && key == kTargetSizeProperty;
    return overridden ? std::nullopt : find(key);
  });
  if (size) options.target_size = ParseSplitSize(*size);
  return options;
}

std::vector<PlannedGroup> SplitTasks(const SplitOptions& options,
                                     std::vector<FileScanTask>* tasks) {
  std::vector<PlannedGroup> groups;
  std::vector<FileScanTask> splits;
  TaskGrouper grouper(options, [&](ScanTaskGroup group) {
    groups.push_back({group.tasks.size(), group.weight});
    splits.insert(splits.end(), std::make_move_iterator(group.tasks.begin()),
                  std::make_move_iterator(group.tasks.end()));
  });
  for (const FileScanTask& task : *tasks) grouper.Add(task);
  grouper.Finish();
  *tasks = std::move(splits);
  return groups;
}

nlohmann::ordered_json GroupsToJson(const std::vector<PlannedGroup>& groups) {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (const PlannedGroup& group : groups) {
    out.push_back({{"tasks", group.tasks}, {"weight", group.weight}});
  }
  return out;
}

}  // namespace nunatak::cli
