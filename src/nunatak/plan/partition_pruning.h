#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/expr/bound_filter.h"
#include "nunatak/expr/evaluate.h"
#include "nunatak/expr/project.h"
#include "nunatak/plan/file_batch.h"
#include "nunatak/plan/snapshot_source.h"
#include "nunatak/table/partition_spec.h"
#include "nunatak/table/schema.h"

namespace nunatak {

/// What a group's partition summaries say, for a filter projected to the group's spec. Summaries
/// that are not one per field say nothing. Refers to its arguments.
class NUNATAK_EXPORT SummaryStats : public StatsSource {
 public:
  SummaryStats(const PartitionSpec& spec, std::span<const FieldSummary> summaries)
      : spec_(spec), summaries_(summaries) {}
  ColumnStats Stats(const BoundFilter::Column& column) const override;

 private:
  const PartitionSpec& spec_;
  std::span<const FieldSummary> summaries_;
};

/// The partition tuple of file `i` of a batch: each field is one value. Refers to its arguments.
class NUNATAK_EXPORT BatchPartitionStats : public StatsSource {
 public:
  BatchPartitionStats(const PartitionSpec& spec, const FileBatch& batch, size_t i)
      : spec_(spec), batch_(batch), i_(i) {}
  ColumnStats Stats(const BoundFilter::Column& column) const override;

 private:
  const PartitionSpec& spec_;
  const FileBatch& batch_;
  size_t i_;
};

/// All that one filter means for the partitions of one spec, derived once. Immutable and
/// thread-safe.
class NUNATAK_EXPORT PartitionFilter {
 public:
  PartitionFilter(const BoundFilter& filter, const PartitionSpec& spec, const Schema& schema);

  /// Whether any partition can be ruled out at all: else no tuple needs to be decoded.
  bool prunes() const { return !projected_.is_true(); }
  /// False only when no row of any file of the group can match.
  bool MayMatch(const FileGroup& group) const;
  /// False only when no row of the partition of file `i` can match. The batch has partition
  /// columns, unless `prunes()` is false.
  bool MayMatch(const FileBatch& batch, size_t i) const;

  const std::shared_ptr<const PartitionSpec>& spec() const { return spec_; }

 private:
  friend class ResidualMemo;

  std::shared_ptr<const PartitionSpec> spec_;
  BoundFilter projected_;
  ResidualEvaluator residuals_;
  /// When it is the same for every partition.
  std::shared_ptr<const BoundFilter> only_residual_;
};

/// Residuals of files of one spec, computed once per distinct partition. For one thread.
class NUNATAK_EXPORT ResidualMemo {
 public:
  explicit ResidualMemo(const PartitionFilter& filter) : filter_(filter) {}
  std::shared_ptr<const BoundFilter> ResidualFor(const DataFile& file);

 private:
  const PartitionFilter& filter_;
  std::unordered_map<std::string, std::shared_ptr<const BoundFilter>> by_partition_;
};

}  // namespace nunatak
