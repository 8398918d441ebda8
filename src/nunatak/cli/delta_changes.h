#pragma once

#include <optional>
#include <string>

#include "nunatak/cli/scan_options.h"
#include "nunatak/cli/scan_output.h"
#include "nunatak/cli/table_options.h"
#include "nunatak/open/open_table.h"

namespace nunatak::cli {

/// What `changes` is asked of a Delta table.
struct DeltaChangesOptions {
  std::string from;
  /// Empty: up to the latest version.
  std::string to;
  std::string where;
  std::optional<std::string> select;
  std::optional<int64_t> limit;
  MemoryOption memory;
};

/// Prints which rows the versions of a range changed.
void PrintDeltaChanges(const DeltaTable& opened, const DeltaChangesOptions& options,
                       ScanOutput* output);

}  // namespace nunatak::cli
