#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
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

/// One partition tuple of a batch: each field is one value. Refers to its arguments.
class NUNATAK_EXPORT BatchPartitionStats : public StatsSource {
 public:
  BatchPartitionStats(const PartitionSpec& spec, const FileBatch& batch, size_t tuple)
      : spec_(spec), batch_(batch), tuple_(tuple) {}
  ColumnStats Stats(const BoundFilter::Column& column) const override;

 private:
  const PartitionSpec& spec_;
  const FileBatch& batch_;
  size_t tuple_;
};

/// All that one filter means for the partitions of one spec, derived once. Immutable and
/// thread-safe.
class NUNATAK_EXPORT PartitionFilter {
 public:
  PartitionFilter(const BoundFilter& filter, const PartitionSpec& spec, const Schema& schema);

  /// False only when no row of any file of the group can match.
  bool MayMatch(const FileGroup& group) const;
  /// False only when no row of a partition of the batch can match.
  bool MayMatch(const FileBatch& batch, size_t tuple) const;
  /// What is left of the filter for a partition of the batch.
  std::shared_ptr<const BoundFilter> ResidualFor(const FileBatch& batch, size_t tuple) const;
  /// When it is the same for every partition; else null.
  const std::shared_ptr<const BoundFilter>& only_residual() const { return only_residual_; }

  const std::shared_ptr<const PartitionSpec>& spec() const { return spec_; }

 private:
  std::shared_ptr<const PartitionSpec> spec_;
  BoundFilter projected_;
  ResidualEvaluator residuals_;
  std::shared_ptr<const BoundFilter> only_residual_;
};

}  // namespace nunatak
