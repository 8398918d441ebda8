#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "nunatak/cli/progress.h"
#include "nunatak/io/file_io.h"

namespace nunatak::cli {

/// How far a scan is; counted by one thread, shown by another.
struct ScanCounters {
  /// Files that were begun, and rows that came out.
  std::atomic<int64_t> files = 0;
  std::atomic<int64_t> rows = 0;
  /// How many files there are, when that is known before they are planned.
  std::optional<int64_t> total_files = {};
};

/// "[#####               ] 10 of 40 files, 1200000 rows, 85.1 MiB, 42.5 MiB/s"; without a known
/// total, there is no bar.
std::string ScanProgressText(const ScanCounters& counters, int64_t bytes, double seconds);

/// Shows the progress of a scan that begins now.
Progress ShowScan(std::shared_ptr<const ScanCounters> counters, std::shared_ptr<FileIO> io);

}  // namespace nunatak::cli
