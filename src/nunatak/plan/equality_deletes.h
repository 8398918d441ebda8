#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/expr/bound_filter.h"
#include "nunatak/expr/evaluate.h"
#include "nunatak/plan/file_scan_task.h"
#include "nunatak/plan/metrics_stats.h"
#include "nunatak/plan/snapshot_source.h"

namespace nunatak {

/// Whether a value of one set of rows may equal (null-safely, NaN equal to NaN) a value of another,
/// as far as both sets' statistics can say. True when in doubt.
NUNATAK_EXPORT bool MayShareValue(const ColumnStats& a, const ColumnStats& b);

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
  void SortBySequenceNumber();

  bool empty() const { return by_key_.empty(); }
  /// Appends the columns of the keys that have metrics.
  void AppendColumns(std::vector<BoundFilter::Column>* columns) const;
  /// Appends those that are newer than data file `i` of the batch and may delete a row of it.
  /// `layout` is the one that the batch was requested with; metrics that it lacks are unknown.
  void AppendFor(const FileBatch& batch, size_t i, const MetricsLayout& layout,
                 std::vector<std::shared_ptr<const DeleteFile>>* out) const;

 private:
  struct Entry {
    std::shared_ptr<const DeleteFile> file;
    /// One per column of the key; bounds point into `file`.
    std::vector<ColumnStats> stats;
  };
  /// Those that compare by the same columns, ascending by sequence number.
  struct KeyDeletes {
    std::vector<int32_t> equality_ids;
    /// The key's columns that have metrics: not those that no schema knows or that cannot be
    /// compared.
    std::vector<BoundFilter::Column> columns;
    MetricsLayout layout;
    std::vector<Entry> entries;
  };

  KeyDeletes& KeyOf(const DeleteFile& file, const SnapshotSource& source);

  std::vector<KeyDeletes> by_key_;
};

}  // namespace nunatak
