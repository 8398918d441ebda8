#pragma once

#include <span>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/expr/bound_filter.h"
#include "nunatak/expr/evaluate.h"
#include "nunatak/table/partition_spec.h"

namespace nunatak {

/// Projects a filter over rows to one over partition tuples of `spec` (its columns have partition
/// field ids and the transforms' result types). Inclusive: true for every partition in which some
/// row may match; strict: true only for partitions in which every row matches.
NUNATAK_EXPORT BoundFilter ProjectToPartition(const BoundFilter& filter, const PartitionSpec& spec,
                                              const Schema& schema, Mode mode);

/// What is left of one filter for the files of one spec, once the partition tuple is known.
class NUNATAK_EXPORT ResidualEvaluator {
 public:
  ResidualEvaluator(const BoundFilter& filter, const PartitionSpec& spec, const Schema& schema);

  /// The filter that rows of a file with this partition tuple (positional, as the spec) have yet to
  /// pass: leaves that hold for the whole partition are true, those that cannot hold are false.
  BoundFilter ResidualFor(std::span<const Value> partition) const;
  /// Whether some partition may decide some leaf: else the residual is the filter itself.
  bool depends_on_partition() const { return depends_on_partition_; }

 private:
  struct Leaf {
    BoundFilter inclusive;
    BoundFilter strict;
  };

  BoundFilter filter_;
  PartitionSpec spec_;
  /// One per leaf node of the filter, in program order.
  std::vector<Leaf> leaves_;
  bool depends_on_partition_ = false;
};

/// The statistics of one partition tuple: each field is one value.
class NUNATAK_EXPORT PartitionStats : public StatsSource {
 public:
  PartitionStats(const PartitionSpec& spec, std::span<const Value> partition)
      : spec_(spec), partition_(partition) {}
  ColumnStats Stats(const BoundFilter::Column& column) const override;

 private:
  const PartitionSpec& spec_;
  std::span<const Value> partition_;
};

}  // namespace nunatak
