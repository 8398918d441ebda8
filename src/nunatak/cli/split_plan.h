#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "nunatak/plan/splits.h"

namespace nunatak::cli {

/// --splits and --split-size: whether files are cut into splits, and into which.
struct SplitFlags {
  bool by_properties = false;
  std::optional<std::string> size;

  void AddTo(CLI::App* verb);
  bool asked() const { return by_properties || size; }
  /// The table's properties, and the size in place of its own when one was given.
  SplitOptions OptionsFor(const SplitOptions::FindProperty& find) const;
};

/// A group of splits, which are `tasks` of the tasks of a plan, in their order.
struct PlannedGroup {
  size_t tasks = 0;
  int64_t weight = 0;
};

/// Cuts the tasks of a plan into splits, and puts them into the order of the groups.
std::vector<PlannedGroup> SplitTasks(const SplitOptions& options, std::vector<FileScanTask>* tasks);

/// docs/plan-json.md, "Splits and groups".
nlohmann::ordered_json GroupsToJson(const std::vector<PlannedGroup>& groups);

}  // namespace nunatak::cli
