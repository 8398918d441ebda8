#include <utility>

#include "nunatak/expr/bound_tree.h"
#include "nunatak/expr/project.h"

namespace nunatak {

namespace {

bool IsLeaf(Op op) {
  return op != Op::kTrue && op != Op::kFalse && op != Op::kAnd && op != Op::kOr;
}

/// The leaf as a filter of its own.
BoundFilter FilterOf(const BoundFilter& filter, const BoundFilter::Node& leaf) {
  const std::span<const Value> literals = filter.literals_of(leaf);
  return Flatten(Leaf(leaf.op, leaf.column, {literals.begin(), literals.end()}), filter.columns);
}

}  // namespace

ResidualEvaluator::ResidualEvaluator(const BoundFilter& filter, const PartitionSpec& spec,
                                     const Schema& schema)
    : filter_(filter), spec_(spec) {
  for (const BoundFilter::Node& node : filter.nodes) {
    if (!IsLeaf(node.op)) continue;
    const BoundFilter leaf = FilterOf(filter, node);
    leaves_.push_back({.inclusive = ProjectToPartition(leaf, spec, schema, Mode::kInclusive),
                       .strict = ProjectToPartition(leaf, spec, schema, Mode::kStrict)});
    // Whoever guarantees something rules something out as well.
    depends_on_partition_ = depends_on_partition_ || !leaves_.back().inclusive.is_true();
  }
}

BoundFilter ResidualEvaluator::ResidualFor(std::span<const Value> partition) const {
  if (!depends_on_partition_) return filter_;
  const PartitionStats stats(spec_, partition);
  size_t next = 0;
  const BoundNode root = RewriteLeaves(filter_, 0, [&](const BoundFilter::Node& node) {
    const Leaf& leaf = leaves_[next++];
    if (!Evaluate(leaf.inclusive, stats, Mode::kInclusive)) return Constant(false);
    if (Evaluate(leaf.strict, stats, Mode::kStrict)) return Constant(true);
    const std::span<const Value> literals = filter_.literals_of(node);
    return nunatak::Leaf(node.op, node.column, {literals.begin(), literals.end()});
  });
  return Flatten(root, filter_.columns);
}

}  // namespace nunatak
