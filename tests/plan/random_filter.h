#pragma once

#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "nunatak/expr/expr.h"
#include "nunatak/table/value.h"
#include "nunatak/table/value_json.h"

namespace nunatak {

/// A leaf column of a test table. A row is one value per column, in the columns' order.
struct TestColumn {
  int32_t id = 0;
  std::string name;
  Type type;
};
using TestRow = std::vector<Value>;

enum class Truth { kFalse, kUnknown, kTrue };

/// A filter that keeps its literals as values, and SQL's three-valued logic over it, written
/// without the library's evaluator.
struct TestFilter {
  Op op = Op::kTrue;
  std::vector<TestFilter> children;
  size_t column = 0;
  std::vector<Value> values;
};

inline Truth Not(Truth truth) {
  if (truth == Truth::kUnknown) return truth;
  return truth == Truth::kTrue ? Truth::kFalse : Truth::kTrue;
}

inline Truth EvaluateLeaf(const TestFilter& filter, const Value& value) {
  const auto truth = [](bool yes) { return yes ? Truth::kTrue : Truth::kFalse; };
  if (filter.op == Op::kIsNull) return truth(value.is_null());
  if (filter.op == Op::kNotNull) return truth(!value.is_null());
  if (value.is_null()) return Truth::kUnknown;
  const ValueView v = value.view();
  bool any = false;
  for (const Value& literal : filter.values) any |= CompareValues(v, literal.view()) == 0;
  const auto order = [&] { return CompareValues(v, filter.values[0].view()); };
  const auto starts = [&] { return value.bytes().starts_with(filter.values[0].bytes()); };
  switch (filter.op) {
    case Op::kIsNan:
      return truth(v.is_nan());
    case Op::kNotNan:
      return truth(!v.is_nan());
    case Op::kLess:
      return truth(order() < 0);
    case Op::kLessEqual:
      return truth(order() <= 0);
    case Op::kGreater:
      return truth(order() > 0);
    case Op::kGreaterEqual:
      return truth(order() >= 0);
    case Op::kEqual:
    case Op::kIn:
      return truth(any);
    case Op::kNotEqual:
    case Op::kNotIn:
      return truth(!any);
    case Op::kStartsWith:
      return truth(starts());
    case Op::kNotStartsWith:
      return truth(!starts());
    default:
      return Truth::kUnknown;
  }
}

inline Truth EvaluateTest(const TestFilter& filter, const TestRow& row) {
  switch (filter.op) {
    case Op::kNot:
      return Not(EvaluateTest(filter.children[0], row));
    case Op::kAnd:
      return std::min(EvaluateTest(filter.children[0], row), EvaluateTest(filter.children[1], row));
    case Op::kOr:
      return std::max(EvaluateTest(filter.children[0], row), EvaluateTest(filter.children[1], row));
    default:
      return EvaluateLeaf(filter, row[filter.column]);
  }
}

inline Literal LiteralOf(const Type& type, const Value& value) {
  const auto text = [&] { return ValueToText(type, value.view()); };
  switch (type.id()) {
    case TypeId::kBoolean:
      return {.kind = Literal::Kind::kBoolean, .text = "", .boolean = value.integer() != 0};
    case TypeId::kInt:
    case TypeId::kLong:
    case TypeId::kDecimal:
      return {.kind = Literal::Kind::kNumber, .text = text()};
    case TypeId::kFloat:
    case TypeId::kDouble:
      return {.kind = value.view().is_nan() ? Literal::Kind::kText : Literal::Kind::kNumber,
              .text = text()};
    case TypeId::kBinary:
      return {.kind = Literal::Kind::kBinary, .text = value.bytes()};
    default:
      return {.kind = Literal::Kind::kText, .text = text()};
  }
}

inline Expr ToExpr(const TestFilter& filter, const std::vector<TestColumn>& columns) {
  Expr expr;
  expr.op = filter.op;
  for (const TestFilter& child : filter.children) expr.children.push_back(ToExpr(child, columns));
  if (!filter.children.empty()) return expr;
  const TestColumn& column = columns[filter.column];
  expr.column = column.name;
  for (const Value& value : filter.values) expr.literals.push_back(LiteralOf(column.type, value));
  return expr;
}

/// Filters whose literals come from `value_of(column)`, which yields values near those of the rows.
class FilterGenerator {
 public:
  FilterGenerator(const std::vector<TestColumn>& columns, std::function<Value(size_t)> value_of,
                  std::mt19937* random)
      : columns_(columns), value_of_(std::move(value_of)), random_(*random) {}

  TestFilter Next(int depth = 3) {
    const int shape = depth == 0 ? 0 : Pick(6);
    if (shape < 3) return Leaf();
    if (shape == 3) return {.op = Op::kNot, .children = {Next(depth - 1)}};
    return {.op = shape == 4 ? Op::kAnd : Op::kOr, .children = {Next(depth - 1), Next(depth - 1)}};
  }

 private:
  int Pick(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }

  TestFilter Leaf() {
    static constexpr Op kComparisons[] = {Op::kLess,         Op::kLessEqual, Op::kGreater,
                                          Op::kGreaterEqual, Op::kEqual,     Op::kNotEqual,
                                          Op::kIn,           Op::kNotIn};
    TestFilter leaf;
    leaf.column = static_cast<size_t>(Pick(static_cast<int>(columns_.size())));
    const TypeId type = columns_[leaf.column].type.id();
    const int kind = Pick(10);
    if (kind == 0) {
      leaf.op = Pick(2) ? Op::kIsNull : Op::kNotNull;
    } else if (kind <= 2 && type == TypeId::kDouble) {
      leaf.op = Pick(2) ? Op::kIsNan : Op::kNotNan;
    } else if (kind <= 3 && type == TypeId::kString) {
      leaf.op = Pick(2) ? Op::kStartsWith : Op::kNotStartsWith;
      leaf.values = {value_of_(leaf.column)};
    } else {
      leaf.op =
          kComparisons[Pick(type == TypeId::kBoolean ? 2 : 8) + (type == TypeId::kBoolean ? 4 : 0)];
      const bool set = leaf.op == Op::kIn || leaf.op == Op::kNotIn;
      for (int n = set ? 1 + Pick(4) : 1; n > 0; --n) leaf.values.push_back(value_of_(leaf.column));
    }
    return leaf;
  }

  const std::vector<TestColumn>& columns_;
  std::function<Value(size_t)> value_of_;
  std::mt19937& random_;
};

}  // namespace nunatak
