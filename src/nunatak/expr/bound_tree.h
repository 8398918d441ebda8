#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nunatak/expr/bound_filter.h"
#include "nunatak/expr/convert_literal.h"

namespace nunatak {

/// A bound filter as a tree, while it is made or changed; `Flatten` gives the program. Without
/// `kNot`: negation is pushed down into the leaves.
struct BoundNode {
  Op op = Op::kTrue;
  /// An index into the columns that go with the tree.
  uint32_t column = 0;
  std::vector<Value> literals;
  std::vector<BoundNode> children;

  bool is_true() const { return op == Op::kTrue; }
  bool is_false() const { return op == Op::kFalse; }
};

inline BoundNode Constant(bool value) {
  BoundNode node;
  node.op = value ? Op::kTrue : Op::kFalse;
  return node;
}

BoundNode Leaf(Op op, uint32_t column, std::vector<Value> literals = {});

/// `kAnd` or `kOr` of the children: constants folded, nested chains of the same kind made one.
BoundNode Combine(Op op, std::vector<BoundNode> children);

/// A comparison (`kLess` … `kNotEqual`) with a literal that may lie outside the column's type.
/// Where the outcome does not depend on the value, it is "not null" or false. The literal is not
/// NaN.
BoundNode Compare(Op op, uint32_t column, const PlacedLiteral& literal);

/// `kIn` or `kNotIn` over values that are neither null nor NaN: sorts them, drops equal ones; one
/// is a comparison, none is false or "not null".
BoundNode Membership(Op op, uint32_t column, std::vector<Value> values);

/// True exactly where the tree is false, and unknown where it is unknown.
BoundNode Negate(BoundNode node);

/// The program of a tree, with those of `columns` that it uses, in order of appearance.
BoundFilter Flatten(const BoundNode& root, std::span<const BoundFilter::Column> columns);

/// Rebuilds a filter with `rewrite(leaf node)` in the place of each leaf. Constants are not leaves.
template <typename Rewrite>
BoundNode RewriteLeaves(const BoundFilter& filter, uint32_t at, const Rewrite& rewrite) {
  const BoundFilter::Node& node = filter.nodes[at];
  if (node.op == Op::kTrue || node.op == Op::kFalse) return Constant(node.op == Op::kTrue);
  if (node.op != Op::kAnd && node.op != Op::kOr) return rewrite(node);
  std::vector<BoundNode> children;
  for (uint32_t child = at + 1; child < node.end; child = filter.nodes[child].end) {
    children.push_back(RewriteLeaves(filter, child, rewrite));
  }
  return Combine(node.op, std::move(children));
}

}  // namespace nunatak
