#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/expr/bound_filter.h"
#include "nunatak/inspect/overlap_depth.h"
#include "nunatak/plan/file_batch.h"
#include "nunatak/plan/metrics_stats.h"

namespace nunatak {

/// How the ranges of one column lie over the data files of a scan, and what order would do for it.
struct Clustering {
  std::string column;
  int32_t field_id = 0;
  /// Files whose bounds are known, and those without (counts alone, truncated away, not written).
  int64_t files = 0;
  int64_t files_without_bounds = 0;
  /// Of a file's lower bound, how many files' ranges hold it: 1 when no two ranges overlap.
  double average_depth = 0;
  int64_t max_depth = 0;
  /// What the terms that compare this column keep now, and what they would keep if the same rows
  /// were sorted by the column in files of the same size: an estimate that takes values to be
  /// spread evenly within each file, and a single value to be rare. Files that are kept for want
  /// of NaN counts alone count as left out: an order does nothing for them. Absent when no term
  /// compares the column.
  struct Outlook {
    int64_t files_now = 0;
    int64_t bytes_now = 0;
    int64_t files_sorted = 0;
    int64_t bytes_sorted = 0;
  };
  std::optional<Outlook> outlook;
};

/// Gathers the ranges of the columns of a filter.
class ClusteringBuilder {
 public:
  /// `terms` are those of the filter (filter_terms.h).
  ClusteringBuilder(const BoundFilter& filter, std::vector<BoundFilter> terms);

  /// Adds file `i` of a batch that was requested with `layout`.
  void Add(const FileBatch& batch, const MetricsLayout& layout, size_t i);
  void Merge(ClusteringBuilder&& other);

  std::vector<Clustering> Finish() const;

 private:
  struct Column {
    BoundFilter::Column column;
    /// The terms that look at nothing but this column.
    std::vector<BoundFilter> terms;
    std::vector<ValueRange> ranges;
    /// Of the files that have them.
    int64_t bytes = 0;
    int64_t rows = 0;
    int64_t without_bounds = 0;
    /// Files that the column's own terms keep, and about how many of their rows pass.
    int64_t kept_files = 0;
    int64_t kept_bytes = 0;
    double passing_rows = 0;
  };

  void AddKept(const FileBatch& batch, const ColumnStats& stats, size_t i, Column* column) const;
  static Clustering Describe(const Column& column);

  std::vector<Column> columns_;
};

}  // namespace nunatak
