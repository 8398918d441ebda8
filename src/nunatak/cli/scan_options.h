#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "nunatak/base/context.h"
#include "nunatak/cli/cache_options.h"
#include "nunatak/cli/memory_option.h"
#include "nunatak/cli/progress.h"
#include "nunatak/cli/scan_output.h"
#include "nunatak/cli/split_plan.h"
#include "nunatak/cli/table_options.h"
#include "nunatak/open/scan_input.h"
#include "nunatak/plan/table_scan.h"

namespace nunatak::cli {

/// The flags of the verbs that plan: plan, scan, count.
struct ScanCommandOptions : TableOptions {
  std::string where;
  /// plan: into which splits, and the file that the tasks are written to; scan: that they are from.
  SplitFlags splits;
  std::optional<std::string> tasks;
  std::optional<std::string> select;
  std::optional<int64_t> limit;
  /// plan: without the tasks; and with all that was counted.
  bool summary = false;
  bool stats = false;
  /// Where an append scan begins, exclusive.
  std::optional<std::string> since;
  /// scan, count: whether every row group of the planned files is read.
  bool no_pruning = false;
  /// scan, count: whether Arrow's reader decodes every Parquet column.
  bool arrow_decoder = false;
  CacheOptions cache;
  MemoryOption memory;
  ScanOutputOptions output;

  void AddWhereTo(CLI::App* verb);
  void AddPruningTo(CLI::App* verb);
};

/// Declares --limit.
CLI::Option* AddLimit(CLI::App* verb, std::optional<int64_t>* limit);

/// Every core, and the memory that the option allows.
Context MakeContext(const MemoryOption& memory);

/// Says what goes on, and how much was read for it.
Progress ShowReads(std::string doing, std::shared_ptr<FileIO> io);

/// A table, opened for planning.
struct OpenedScan {
  OpenedTable opened;
  /// Null with --no-cache.
  std::shared_ptr<iceberg::ManifestCache> cache;
  ScanInput input;
  /// Bound to the schema of the input's request.
  BoundFilter filter;
  /// Whether the case of column names matters.
  bool case_sensitive = true;
  /// Wall time of opening the table: its metadata and the list of what holds its files.
  double seconds = 0;
};

OpenedScan OpenScan(const ScanCommandOptions& options, const Context& context);

}  // namespace nunatak::cli
