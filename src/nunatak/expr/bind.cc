#include <fmt/format.h>

#include <map>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/expr/bound_filter.h"
#include "nunatak/expr/bound_tree.h"
#include "nunatak/expr/caret.h"
#include "nunatak/expr/convert_literal.h"
#include "nunatak/expr/like_pattern.h"
#include "nunatak/expr/op.h"

namespace nunatak {

namespace {

using Place = PlacedLiteral::Place;

/// Expressions deeper than any that the parsers make.
constexpr int kMaxDepth = 1000;
constexpr size_t kNamesInHint = 12;

bool IsReal(const Type& type) {
  return type.id() == TypeId::kFloat || type.id() == TypeId::kDouble;
}

bool IsNan(const PlacedLiteral& literal) {
  return literal.place == Place::kExact && literal.value.view().is_nan();
}

/// What a comparison with NaN, which is above every number, says about a float or double.
BoundNode CompareWithNan(Op op, uint32_t column) {
  switch (op) {
    case Op::kLess:
    case Op::kNotEqual:
      return Leaf(Op::kNotNan, column);
    case Op::kLessEqual:
      return Leaf(Op::kNotNull, column);
    case Op::kGreaterEqual:
    case Op::kEqual:
      return Leaf(Op::kIsNan, column);
    default:
      return Constant(false);
  }
}

std::string ColumnsHint(const Schema& schema) {
  std::string names;
  size_t count = 0;
  for (const Field& field : schema.fields()) {
    if (count++ == kNamesInHint) return fmt::format("the columns are {}, …", names);
    names += fmt::format("{}{}", names.empty() ? "" : ", ", field.name);
  }
  return names.empty() ? "the table has no columns" : fmt::format("the columns are {}", names);
}

class Binder {
 public:
  Binder(const Schema& schema, bool case_sensitive, std::string_view text)
      : schema_(schema), case_sensitive_(case_sensitive), text_(text) {}

  BoundFilter Run(const Expr& expr) {
    const BoundNode root = Bind(expr, false, 0);
    return Flatten(root, columns_);
  }

 private:
  /// Negation moves down to the leaves before anything is folded, so that false may stand for
  /// unknown from there on.
  BoundNode Bind(const Expr& expr, bool negated, int depth) {
    if (depth > kMaxDepth) {
      ThrowUsage(fmt::format("the filter nests deeper than {} levels", kMaxDepth));
    }
    switch (expr.op) {
      case Op::kTrue:
      case Op::kFalse:
        return Constant((expr.op == Op::kTrue) != negated);
      case Op::kNot:
        return Bind(expr.children.at(0), !negated, depth + 1);
      case Op::kAnd:
      case Op::kOr: {
        std::vector<BoundNode> children;
        children.reserve(expr.children.size());
        for (const Expr& child : expr.children) children.push_back(Bind(child, negated, depth + 1));
        return Combine(negated ? Negated(expr.op) : expr.op, std::move(children));
      }
      default:
        return SimplifyNullTest(BindLeaf(expr, negated ? Negated(expr.op) : expr.op));
    }
  }

  BoundNode BindLeaf(const Expr& expr, Op op) {
    const uint32_t column = Resolve(expr);
    const Type& type = columns_[column].type;
    switch (op) {
      case Op::kIsNull:
      case Op::kNotNull:
        return Leaf(op, column);
      case Op::kIsNan:
      case Op::kNotNan:
        if (!IsReal(type)) FailType(expr, "is never NaN; only float and double columns can be");
        return Leaf(op, column);
      case Op::kIn:
      case Op::kNotIn:
        CheckComparable(expr, type);
        return BindMembership(expr, op, column);
      case Op::kStartsWith:
      case Op::kNotStartsWith:
      case Op::kLike:
      case Op::kNotLike:
        if (type.id() != TypeId::kString) FailType(expr, "cannot be matched with text patterns");
        return BindPattern(expr, op, column);
      default:
        CheckComparable(expr, type);
        return BindComparison(expr, op, column);
    }
  }

  BoundNode BindComparison(const Expr& expr, Op op, uint32_t column) {
    const PlacedLiteral literal = Convert(expr.literals.at(0), column);
    return IsNan(literal) ? CompareWithNan(op, column) : Compare(op, column, literal);
  }

  BoundNode BindMembership(const Expr& expr, Op op, uint32_t column) {
    const bool in = op == Op::kIn;
    // Not in the empty set is everything, nulls too; SQL cannot say it, JSON can.
    if (expr.literals.empty()) return Constant(!in);
    std::vector<Value> values;
    bool has_nan = false;
    for (const Literal& literal : expr.literals) {
      PlacedLiteral placed = Convert(literal, column);
      // Not being among values of which one is unknown is never certain.
      if (placed.place == Place::kNull && !in) return Constant(false);
      if (IsNan(placed)) {
        has_nan = true;
      } else if (placed.place == Place::kExact) {
        values.push_back(std::move(placed.value));
      }
    }
    BoundNode result = Membership(op, column, std::move(values));
    if (!has_nan) return result;
    if (result.op == Op::kNotNull) return Leaf(Op::kNotNan, column);
    std::vector<BoundNode> terms;
    terms.push_back(std::move(result));
    terms.push_back(Leaf(in ? Op::kIsNan : Op::kNotNan, column));
    return Combine(in ? Op::kOr : Op::kAnd, std::move(terms));
  }

  BoundNode BindPattern(const Expr& expr, Op op, uint32_t column) {
    const PlacedLiteral literal = Convert(expr.literals.at(0), column);
    if (literal.place == Place::kNull) return Constant(false);
    const bool negated = op == Op::kNotLike || op == Op::kNotStartsWith;
    const std::string& text = literal.value.bytes();
    if (op == Op::kStartsWith || op == Op::kNotStartsWith) return StartsWith(negated, column, text);
    LikePattern pattern;
    try {
      pattern = LikePattern::Parse(text);
    } catch (const Error& error) {
      ThrowAt(text_, expr.literals[0].offset, error.message(), error.hint());
    }
    switch (pattern.form) {
      case LikePattern::Form::kExact:
        return Leaf(negated ? Op::kNotEqual : Op::kEqual, column, {Value::Bytes(pattern.prefix)});
      case LikePattern::Form::kPrefix:
        return StartsWith(negated, column, pattern.prefix);
      case LikePattern::Form::kGeneral:
        break;
    }
    return Leaf(op, column, {literal.value, Value::Bytes(pattern.prefix)});
  }

  /// Every text starts with the empty one.
  BoundNode StartsWith(bool negated, uint32_t column, const std::string& prefix) {
    if (prefix.empty()) return negated ? Constant(false) : Leaf(Op::kNotNull, column);
    return Leaf(negated ? Op::kNotStartsWith : Op::kStartsWith, column, {Value::Bytes(prefix)});
  }

  /// Decides null tests of columns that are never null, or always.
  BoundNode SimplifyNullTest(BoundNode leaf) const {
    if (leaf.op != Op::kIsNull && leaf.op != Op::kNotNull) return leaf;
    const BoundFilter::Column& column = columns_[leaf.column];
    if (!column.nullable) return Constant(leaf.op == Op::kNotNull);
    if (column.type.id() == TypeId::kUnknown) return Constant(leaf.op == Op::kIsNull);
    return leaf;
  }

  /// The place of the leaf's column in `columns_`.
  uint32_t Resolve(const Expr& expr) {
    const Field* field = FindField(expr);
    const auto [it, added] = places_.try_emplace(field->id, static_cast<uint32_t>(columns_.size()));
    if (!added) return it->second;
    if (schema_.IsRepeated(field->id)) {
      ThrowAt(text_, expr.offset,
              fmt::format("column '{}' lies inside a list or map, which filters cannot test",
                          schema_.NameOf(field->id)));
    }
    columns_.push_back({.field_id = field->id,
                        .type = field->type,
                        .name = schema_.NameOf(field->id),
                        .nullable = schema_.IsNullable(field->id)});
    return it->second;
  }

  const Field* FindField(const Expr& expr) const {
    const Field* field = nullptr;
    try {
      field = expr.column_id ? schema_.FindField(*expr.column_id)
                             : schema_.FindField(expr.column, case_sensitive_);
    } catch (const Error& error) {
      ThrowAt(text_, expr.offset, error.message(), error.hint());
    }
    if (field) return field;
    const std::string name = expr.column_id ? fmt::format("with id {}", *expr.column_id)
                                            : fmt::format("'{}'", expr.column);
    ThrowAt(text_, expr.offset, fmt::format("there is no column {}", name), ColumnsHint(schema_));
  }

  void CheckComparable(const Expr& expr, const Type& type) const {
    if (!type.is_comparable()) {
      FailType(expr, "cannot be compared; it can be tested with IS NULL and IS NOT NULL");
    }
  }

  [[noreturn]] void FailType(const Expr& expr, std::string_view what) const {
    const Field* field = FindField(expr);
    ThrowAt(text_, expr.offset,
            fmt::format("column '{}' is of type {}, which {}", schema_.NameOf(field->id),
                        field->type.ToString(), what));
  }

  PlacedLiteral Convert(const Literal& literal, uint32_t at) const {
    const BoundFilter::Column& column = columns_[at];
    std::optional<PlacedLiteral> placed = ConvertLiteral(literal, column.type);
    if (!placed) {
      ThrowAt(text_, literal.offset,
              fmt::format("column '{}' is of type {}, to which {} does not convert", column.name,
                          column.type.ToString(), Describe(literal)),
              LiteralHint(literal, column.type));
    }
    // Zero has one sign from here on, as comparisons see no other.
    const ValueView value = placed->value.view();
    if (value.kind == ValueView::Kind::kReal && value.real == 0) placed->value = Value::Real(0);
    return *std::move(placed);
  }

  static std::string Describe(const Literal& literal) {
    switch (literal.kind) {
      case Literal::Kind::kNull:
        return "NULL";
      case Literal::Kind::kBoolean:
        return literal.boolean ? "TRUE" : "FALSE";
      case Literal::Kind::kNumber:
        return fmt::format("the number {}", literal.text);
      case Literal::Kind::kText:
        return fmt::format("the text '{}'", literal.text);
      case Literal::Kind::kDate:
        return fmt::format("DATE '{}'", literal.text);
      case Literal::Kind::kTime:
        return fmt::format("TIME '{}'", literal.text);
      case Literal::Kind::kTimestamp:
        return fmt::format("TIMESTAMP '{}'", literal.text);
      case Literal::Kind::kUuid:
        return fmt::format("UUID '{}'", literal.text);
      case Literal::Kind::kBinary:
        return fmt::format("X'{}'", ToHex(AsBytes(literal.text)));
    }
    return "";
  }

  const Schema& schema_;
  bool case_sensitive_;
  std::string_view text_;
  std::vector<BoundFilter::Column> columns_;
  std::map<int32_t, uint32_t> places_;
};

}  // namespace

BoundFilter Bind(const Expr& expr, const Schema& schema, bool case_sensitive,
                 std::string_view text) {
  return Binder(schema, case_sensitive, text).Run(expr);
}

BoundFilter BindFilter(std::string_view text, const Schema& schema, bool case_sensitive) {
  return Bind(ParseFilter(text), schema, case_sensitive, text);
}

}  // namespace nunatak
