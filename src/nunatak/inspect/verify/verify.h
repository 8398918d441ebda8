#pragma once

#include <atomic>
#include <cstdint>

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/iceberg/table.h"
#include "nunatak/inspect/verify/verify_finding.h"

namespace nunatak {

struct VerifyOptions {
  /// Every snapshot that the table has, instead of one.
  bool all_snapshots = false;
  /// Whether data, delete, statistics and earlier metadata files are looked for. Without that, only
  /// metadata, manifest lists and manifests are read.
  bool look_for_files = true;
  /// Open data and delete files, and hold every row against what the table records.
  bool deep = false;
};

/// How far a verification is; counted by one thread, shown by another.
struct VerifyCounters {
  /// Whether the table's format has snapshots and manifests to be counted.
  std::atomic<bool> has_manifests = true;
  std::atomic<int64_t> snapshots = 0;
  /// Distinct ones.
  std::atomic<int64_t> manifests = 0;
  /// Distinct files that were looked for: data, delete, statistics and earlier metadata files.
  std::atomic<int64_t> files = 0;
  /// Files that were opened, and their rows.
  std::atomic<int64_t> opened = 0;
  std::atomic<int64_t> rows = 0;
  std::atomic<int64_t> errors = 0;
  std::atomic<int64_t> warnings = 0;
};

/// Checks a table's graph from its metadata file down: see `AllChecks` and docs/verify.md. Findings
/// come as they are found, in the order of the graph. `snapshot` is the one to check; it is null
/// for a table without one, and ignored for all of them.
///
/// Manifests are read with the context's executor and I/O concurrency, and streamed; what is held
/// is about 40 bytes for each live data file of a snapshot (of all of them together, when all are
/// checked), and the entries of its delete files. Throws `ErrorCode::kUnsupported` for what this
/// build does not read, such as an encrypted table, and `kIo` when the storage fails.
NUNATAK_EXPORT void Verify(const iceberg::Table& table, const Context& context,
                           const iceberg::Snapshot* snapshot, const VerifyOptions& options,
                           const FindingSink& sink, VerifyCounters* counters);

}  // namespace nunatak
