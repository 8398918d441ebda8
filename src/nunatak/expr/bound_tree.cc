#include "nunatak/expr/bound_tree.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "nunatak/expr/op.h"

namespace nunatak {

using Place = PlacedLiteral::Place;

BoundNode Leaf(Op op, uint32_t column, std::vector<Value> literals) {
  BoundNode node;
  node.op = op;
  node.column = column;
  node.literals = std::move(literals);
  return node;
}

BoundNode Combine(Op op, std::vector<BoundNode> children) {
  // What decides the whole: false for AND, true for OR.
  const Op decides = op == Op::kAnd ? Op::kFalse : Op::kTrue;
  BoundNode result;
  result.op = op;
  for (BoundNode& child : children) {
    if (child.op == decides) return Constant(decides == Op::kTrue);
    if (child.is_true() || child.is_false()) continue;
    if (child.op == op) {
      std::move(child.children.begin(), child.children.end(), std::back_inserter(result.children));
    } else {
      result.children.push_back(std::move(child));
    }
  }
  if (result.children.empty()) return Constant(decides == Op::kFalse);
  if (result.children.size() == 1) {
    BoundNode only = std::move(result.children.front());
    return only;
  }
  return result;
}

namespace {

/// A comparison with something that equals no value of the column: `above` tells whether it lies
/// above all of them.
BoundNode CompareOutside(Op op, uint32_t column, bool above) {
  const bool always =
      op == Op::kNotEqual || (above ? op == Op::kLess || op == Op::kLessEqual
                                    : op == Op::kGreater || op == Op::kGreaterEqual);
  return always ? Leaf(Op::kNotNull, column) : Constant(false);
}

/// A comparison with something between `floor` and the next value.
BoundNode CompareBetween(Op op, uint32_t column, const Value& floor) {
  switch (op) {
    case Op::kEqual:
      return Constant(false);
    case Op::kNotEqual:
      return Leaf(Op::kNotNull, column);
    case Op::kLess:
    case Op::kLessEqual:
      return Leaf(Op::kLessEqual, column, {floor});
    default:
      return Leaf(Op::kGreater, column, {floor});
  }
}

}  // namespace

BoundNode Compare(Op op, uint32_t column, const PlacedLiteral& literal) {
  switch (literal.place) {
    case Place::kExact:
      return Leaf(op, column, {literal.value});
    case Place::kAfter:
      return CompareBetween(op, column, literal.value);
    case Place::kBelowAll:
    case Place::kAboveAll:
      return CompareOutside(op, column, literal.place == Place::kAboveAll);
    case Place::kNull:
      break;
  }
  // Never true, and a filter does not tell false from unknown.
  return Constant(false);
}

BoundNode Membership(Op op, uint32_t column, std::vector<Value> values) {
  std::sort(values.begin(), values.end(),
            [](const Value& a, const Value& b) { return CompareValues(a.view(), b.view()) < 0; });
  values.erase(std::unique(values.begin(), values.end(),
                           [](const Value& a, const Value& b) {
                             return CompareValues(a.view(), b.view()) == 0;
                           }),
               values.end());
  const bool in = op == Op::kIn;
  if (values.empty()) return in ? Constant(false) : Leaf(Op::kNotNull, column);
  if (values.size() == 1) return Leaf(in ? Op::kEqual : Op::kNotEqual, column, std::move(values));
  return Leaf(op, column, std::move(values));
}

BoundNode Negate(BoundNode node) {
  node.op = Negated(node.op);
  for (BoundNode& child : node.children) child = Negate(std::move(child));
  return node;
}

namespace {

constexpr uint32_t kUnused = std::numeric_limits<uint32_t>::max();

class Flattener {
 public:
  explicit Flattener(std::span<const BoundFilter::Column> columns)
      : columns_(columns), places_(columns.size(), kUnused) {
    program_.nodes.clear();
  }

  BoundFilter Run(const BoundNode& root) {
    Add(root);
    return std::move(program_);
  }

 private:
  void Add(const BoundNode& node) {
    const size_t at = program_.nodes.size();
    program_.nodes.push_back({.op = node.op,
                              .first_literal = static_cast<uint32_t>(program_.literals.size()),
                              .literal_count = static_cast<uint32_t>(node.literals.size())});
    program_.literals.insert(program_.literals.end(), node.literals.begin(), node.literals.end());
    const bool constant = node.is_true() || node.is_false();
    if (!constant && node.children.empty()) program_.nodes[at].column = PlaceOf(node.column);
    for (const BoundNode& child : node.children) Add(child);
    program_.nodes[at].end = static_cast<uint32_t>(program_.nodes.size());
  }

  uint32_t PlaceOf(uint32_t column) {
    if (places_[column] == kUnused) {
      places_[column] = static_cast<uint32_t>(program_.columns.size());
      program_.columns.push_back(columns_[column]);
    }
    return places_[column];
  }

  std::span<const BoundFilter::Column> columns_;
  /// The place of each column in the program.
  std::vector<uint32_t> places_;
  BoundFilter program_;
};

}  // namespace

BoundFilter Flatten(const BoundNode& root, std::span<const BoundFilter::Column> columns) {
  return Flattener(columns).Run(root);
}

}  // namespace nunatak
