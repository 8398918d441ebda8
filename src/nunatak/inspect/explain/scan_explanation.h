#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/expr/bound_filter.h"
#include "nunatak/inspect/explain/clustering.h"
#include "nunatak/inspect/explain/missing_metrics.h"
#include "nunatak/inspect/explain/pruning_reason.h"
#include "nunatak/plan/snapshot_source.h"
#include "nunatak/plan/splits.h"

namespace nunatak {

/// How many things, how many bytes in storage, and how many rows in them (0 where that is unknown).
struct Amount {
  int64_t count = 0;
  int64_t bytes = 0;
  int64_t rows = 0;

  void Add(int64_t more_bytes, int64_t more_rows) {
    ++count;
    bytes += more_bytes;
    rows += more_rows;
  }
  Amount& operator+=(const Amount& other) {
    count += other.count;
    bytes += other.bytes;
    rows += other.rows;
    return *this;
  }
  friend bool operator==(const Amount&, const Amount&) = default;
};

/// What one reason took out of one layer.
struct PrunedAmount {
  PruningReason reason = PruningReason::kBounds;
  /// The first term of the filter that was enough, by position; absent where it was none.
  std::optional<size_t> term;
  Amount amount;
};

/// What one term keeps in one layer although nothing that is known of it can pass.
struct KeptAmount {
  MissingMetrics missing;
  /// The first such term of the filter, by position.
  size_t term = 0;
  Amount amount;
};

/// One layer of a scan: what goes in, and what is left of it.
struct NUNATAK_EXPORT ScanLayer {
  /// "manifests", "files", "splits", "row-groups", "pages".
  std::string_view name;
  Amount in;
  Amount out;
  /// By reason and term; their amounts are the difference of `in` and `out`.
  std::vector<PrunedAmount> pruned;
  /// The part of `out` that is kept for want of metrics alone.
  std::vector<KeptAmount> kept;

  void Prune(PruningReason reason, std::optional<size_t> term, const Amount& amount);
  void Keep(const MissingMetrics& missing, size_t term, const Amount& amount);
  void Merge(const ScanLayer& other);
};

/// What deletes a scan meets.
struct DeleteLayer {
  int64_t manifests = 0;
  int64_t manifests_read = 0;
  /// Delete files in the manifests that were read, and those whose partition or own bounds the
  /// filter rules out.
  int64_t files = 0;
  int64_t files_pruned = 0;
  /// Pairs of a planned data file and a delete file that applies to it, and data files that have
  /// any.
  int64_t references = 0;
  int64_t data_files_with_deletes = 0;
};

/// Why a scan reads what it reads: the planner's own decisions, layer by layer.
struct NUNATAK_EXPORT ScanExplanation {
  std::string filter;
  /// As text; `PrunedAmount::term` counts them.
  std::vector<std::string> terms;
  std::optional<int64_t> snapshot_id;
  ScanLayer manifests;
  ScanLayer files;
  ScanLayer splits;
  /// With footers opened (explain_sections.h): row groups, pages.
  std::vector<ScanLayer> sections;
  DeleteLayer deletes;
  /// One per column of the filter that has bounds in some file.
  std::vector<Clustering> clustering;
};

/// Plans a scan and notes why each manifest and file was kept or left out. Memory is bounded by the
/// context's budget, the deletes, and 40 bytes per file and column of the filter.
NUNATAK_EXPORT ScanExplanation ExplainScan(const Context& context,
                                           const std::shared_ptr<const SnapshotSource>& source,
                                           const BoundFilter& filter,
                                           const SplitOptions& splits = {});

}  // namespace nunatak
