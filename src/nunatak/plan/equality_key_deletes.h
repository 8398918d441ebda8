#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/expr/bound_filter.h"
#include "nunatak/expr/evaluate.h"
#include "nunatak/plan/file_scan_task.h"
#include "nunatak/plan/interval_index.h"
#include "nunatak/plan/metrics_stats.h"
#include "nunatak/table/schema.h"

namespace nunatak {

/// Whether a value of one set of rows may equal (null-safely, NaN equal to NaN) a value of another,
/// as far as both sets' statistics can say. True when in doubt.
NUNATAK_EXPORT bool MayShareValue(const ColumnStats& a, const ColumnStats& b);

/// The equality delete files of one scope that compare by the same columns.
class NUNATAK_EXPORT EqualityKeyDeletes {
 public:
  /// `columns` are those of the key that have metrics: not those that no schema knows or that
  /// cannot be compared.
  EqualityKeyDeletes(std::vector<int32_t> equality_ids, std::vector<BoundFilter::Column> columns,
                     const Schema& schema);

  const std::vector<int32_t>& equality_ids() const { return equality_ids_; }
  const std::vector<BoundFilter::Column>& columns() const { return columns_; }

  void Add(std::shared_ptr<const DeleteFile> file);
  /// To be called once, after the last `Add`.
  void Arrange();

  /// Whether any is newer than a data file.
  bool AnyAfter(int64_t data_sequence_number) const;
  /// Appends those that are newer than a data file and may delete a row of it; `stats` has what is
  /// known of it, per column. Adds to `looked_at` how many were looked at.
  void AppendFor(int64_t data_sequence_number, std::span<const ColumnStats> stats,
                 std::vector<std::shared_ptr<const DeleteFile>>* out, int64_t* looked_at) const;

  int64_t memory_bytes() const;

 private:
  struct Entry {
    std::shared_ptr<const DeleteFile> file;
    /// One per column of the key; bounds point into `file`.
    std::vector<ColumnStats> stats;
  };
  /// What finds the entries that may share a value of one column: those by their range, besides
  /// those that may have nulls or NaNs, which meet theirs whatever the ranges are.
  struct ColumnIndex {
    size_t column = 0;
    /// Positions among the entries, ascending.
    std::vector<uint32_t> with_nulls;
    std::vector<uint32_t> with_nans;
    std::vector<uint32_t> with_values;
    /// Of those with values, unbounded where the range is not known.
    IntervalIndex ranges;
    SortedEnds<ValueView> lowers;
    SortedEnds<ValueView> uppers;
  };

  size_t ChooseColumn() const;
  void IndexColumn(size_t column);
  IntervalIndex::Window WindowOf(const ColumnStats& stats, int64_t* looked_at) const;
  template <typename LookAt>
  void LookUp(size_t first, const ColumnStats& file, LookAt look_at, int64_t* looked_at) const;
  bool MayDelete(const Entry& entry, std::span<const ColumnStats> stats) const;

  std::vector<int32_t> equality_ids_;
  std::vector<BoundFilter::Column> columns_;
  MetricsLayout layout_;
  /// Ascending by sequence number.
  std::vector<Entry> entries_;
  /// Only for many entries and keys with columns.
  std::optional<ColumnIndex> index_;
};

}  // namespace nunatak
