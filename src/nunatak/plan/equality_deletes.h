#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/expr/bound_filter.h"
#include "nunatak/plan/equality_key_deletes.h"
#include "nunatak/plan/file_scan_task.h"
#include "nunatak/plan/metrics_stats.h"
#include "nunatak/plan/snapshot_source.h"

namespace nunatak {

/// Whether an equality delete file may delete a row that `filter` keeps, judged by the metrics of
/// its own `equality_ids` columns alone (its other columns may hold anything). `layout` is the
/// filter's.
NUNATAK_EXPORT bool MayDeleteMatching(const DataFile& deletes, const BoundFilter& filter,
                                      const MetricsLayout& layout);

/// Equality delete files of one scope: a partition, or the whole table.
class NUNATAK_EXPORT EqualityDeletes {
 public:
  /// Throws `ErrorCode::kInvalid` when the file has no `equality_ids`.
  void Add(std::shared_ptr<const DeleteFile> file, const SnapshotSource& source);
  /// To be called once, after the last `Add`.
  void Arrange();

  bool empty() const { return by_key_.empty(); }
  /// Appends the columns of the keys that have metrics.
  void AppendColumns(std::vector<BoundFilter::Column>* columns) const;
  /// Appends those that are newer than data file `i` of the batch and may delete a row of it.
  /// `layout` is the one that the batch was requested with; metrics that it lacks are unknown. Adds
  /// to `looked_at` how many were looked at.
  void AppendFor(const FileBatch& batch, size_t i, const MetricsLayout& layout,
                 std::vector<std::shared_ptr<const DeleteFile>>* out, int64_t* looked_at) const;

  int64_t memory_bytes() const;

 private:
  std::vector<EqualityKeyDeletes> by_key_;
};

}  // namespace nunatak
