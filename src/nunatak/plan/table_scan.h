#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/expr/bound_filter.h"
#include "nunatak/plan/file_scan_task.h"
#include "nunatak/plan/file_selection.h"
#include "nunatak/plan/plan_counts.h"
#include "nunatak/plan/snapshot_source.h"

namespace nunatak {

struct PlanOptions {
  /// Whether the tasks' files carry their column metrics, which nobody needs to read them; equality
  /// delete files do in any case.
  bool column_metrics = false;
  /// How many rows the caller will read: a plan without a filter ends once its tasks have so many.
  std::optional<int64_t> limit = std::nullopt;
};

/// The tasks of a scan as they are planned: later groups are read while the first tasks are taken,
/// in the order of the groups and of the files in them, whatever runs in parallel. Memory is
/// bounded by the context's budget, the cache's, and the deletes. Destroying it early stops the
/// work. An error of any group comes in that group's place, and ends the stream. For one thread.
class NUNATAK_EXPORT PlanStream {
 public:
  virtual ~PlanStream() = default;
  /// The tasks of the next group that has any; empty at the end.
  virtual std::vector<FileScanTask> NextGroup() = 0;
  /// The next task; not to be mixed with `NextGroup`.
  std::optional<FileScanTask> Next();
  /// What was planned so far; the delete files, all.
  virtual PlanCounts counts() const = 0;

 private:
  std::vector<FileScanTask> tasks_;
  size_t next_ = 0;
};

/// The same without making tasks of the files: what a caller sweeps over who wants only a few
/// columns of them.
class NUNATAK_EXPORT SelectionStream {
 public:
  virtual ~SelectionStream() = default;
  /// The selected files of the next group that was read, possibly none; nullopt at the end.
  virtual std::optional<FileSelection> Next() = 0;
  virtual PlanCounts counts() const = 0;
};

/// Plans the scan of one snapshot: prunes groups by partition summaries and files by partition
/// tuples and metrics, attaches deletes, computes residuals. Immutable and thread-safe.
class NUNATAK_EXPORT TableScan {
 public:
  /// `filter` is bound to `source->schema()`, or to that and the metadata columns
  /// (`WithMetadataColumns`).
  TableScan(std::shared_ptr<const SnapshotSource> source, BoundFilter filter,
            PlanOptions options = {});

  /// Begins to plan. The stream refers to nothing but the source and the context's executor.
  std::unique_ptr<PlanStream> Stream(const Context& context) const;
  std::unique_ptr<SelectionStream> Select(const Context& context) const;

  using TaskSink = std::function<void(FileScanTask)>;
  /// Calls `sink` for each task, on the calling thread.
  PlanCounts Plan(const Context& context, const TaskSink& sink) const;

  struct Result {
    std::vector<FileScanTask> tasks;
    PlanCounts counts;
  };
  /// `Plan`, collected.
  Result PlanFiles(const Context& context) const;

  const BoundFilter& filter() const { return *filter_; }
  const SnapshotSource& source() const { return *source_; }

 private:
  std::shared_ptr<const SnapshotSource> source_;
  std::shared_ptr<const BoundFilter> filter_;
  PlanOptions options_;
};

}  // namespace nunatak
