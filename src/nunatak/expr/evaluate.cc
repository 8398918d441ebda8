#include "nunatak/expr/evaluate.h"

#include <algorithm>
#include <optional>

#include "nunatak/expr/like_pattern.h"
#include "nunatak/expr/op.h"

/// What statistics say about one leaf of a filter.
///
/// The values of a column over a set of rows are of three kinds, each of which may be absent:
/// nulls, NaNs, and the rest, which lies within [lower, upper]. A leaf *may match* when one of the
/// kinds may be there and may pass it:
///
///   leaf                 nulls   NaNs   other values v, lower ≤ v ≤ upper
///   IS NULL              pass    -      -
///   IS NOT NULL          -       pass   pass
///   IS NAN               -       pass   -
///   IS NOT NAN           -       -      pass
///   < c                  -       -      unless lower ≥ c
///   <= c                 -       -      unless lower > c
///   > c                  -       pass   unless upper ≤ c
///   >= c                 -       pass   unless upper < c
///   = c                  -       -      unless c is outside [lower, upper]
///   IN (c, …)            -       -      unless every c is outside [lower, upper]
///   starts with p        -       -      unless lower > p… or upper < p
///   LIKE, prefix p       -       -      as "starts with p"
///   != c, NOT IN         -       pass   pass
///   not starts with p    -       -      unless both lower and upper start with p
///   NOT LIKE             -       -      pass
///
/// and, for every leaf, when lower = upper = v, there is no other value than v: what v does
/// decides.
///
/// A leaf *must match* for every row when no row may be null and none may match its negation. (IS
/// NULL: when no row may match IS NOT NULL.) That is the whole of the strict mode.
///
/// What is not known:
///   a missing null or NaN count     the kind may be there, and need not be; a column that the
///                                   schema says is never null has no nulls
///   a missing bound                 does not bound; the other one still does
///   NaN as a bound                  neither bound is known: its writer took NaN for a number
///   lower > upper                   neither bound is known: its writer was wrong
///   a bound of another type         not known
///   a truncated bound               is a bound: nothing here takes bounds to be attained
///   −0.0 and 0.0                    are the same number, in bounds too

namespace nunatak {

namespace {

bool IsReal(TypeId id) { return id == TypeId::kFloat || id == TypeId::kDouble; }

/// Whether NaN, which is above every number, passes a comparison with numbers.
bool NanPasses(Op op) {
  return op == Op::kGreater || op == Op::kGreaterEqual || op == Op::kNotEqual || op == Op::kNotIn;
}

struct ViewLess {
  bool operator()(const Value& a, const ValueView& b) const {
    return CompareValues(a.view(), b) < 0;
  }
  bool operator()(const ValueView& a, const Value& b) const {
    return CompareValues(a, b.view()) < 0;
  }
};

bool Contains(std::span<const Value> sorted, const ValueView& value) {
  return std::binary_search(sorted.begin(), sorted.end(), value, ViewLess());
}

/// Whether a value that is not null passes a leaf.
bool Passes(Op op, const ValueView& value, std::span<const Value> literals) {
  const auto compare = [&] { return CompareValues(value, literals[0].view()); };
  const auto starts_with = [&] { return value.text().starts_with(literals[0].view().text()); };
  switch (op) {
    case Op::kNotNull:
      return true;
    case Op::kIsNan:
      return value.is_nan();
    case Op::kNotNan:
      return !value.is_nan();
    case Op::kLess:
      return compare() < 0;
    case Op::kLessEqual:
      return compare() <= 0;
    case Op::kGreater:
      return compare() > 0;
    case Op::kGreaterEqual:
      return compare() >= 0;
    case Op::kEqual:
      return compare() == 0;
    case Op::kNotEqual:
      return compare() != 0;
    case Op::kIn:
      return Contains(literals, value);
    case Op::kNotIn:
      return !Contains(literals, value);
    case Op::kStartsWith:
      return starts_with();
    case Op::kNotStartsWith:
      return !starts_with();
    case Op::kLike:
      return MatchesLike(value.text(), literals[0].view().text());
    case Op::kNotLike:
      return !MatchesLike(value.text(), literals[0].view().text());
    default:
      return false;
  }
}

/// The statistics of a column, as far as they can be relied on.
class Evidence {
 public:
  Evidence(const BoundFilter::Column& column, const ColumnStats& stats)
      : lower_(stats.lower), upper_(stats.upper) {
    const bool no_nulls =
        stats.has_nulls == Known::kNo || (stats.has_nulls == Known::kUnknown && !column.nullable);
    const bool all_null = stats.all_null == Known::kYes;
    const bool real = IsReal(column.type.id());
    may_be_null_ = !no_nulls;
    may_be_nan_ = real && !all_null && stats.has_nans != Known::kNo;
    may_be_other_ = !all_null && !(real && stats.all_nan == Known::kYes);

    const ValueView::Kind kind = KindOf(column.type);
    if (lower_.kind != kind) lower_ = ValueView();
    if (upper_.kind != kind) upper_ = ValueView();
    const bool both = !lower_.is_null() && !upper_.is_null();
    const bool inverted = both && CompareValues(lower_, upper_) > 0;
    if (lower_.is_nan() || upper_.is_nan() || inverted) lower_ = upper_ = ValueView();
  }

  bool may_be_null() const { return may_be_null_; }

  bool MayMatch(Op op, std::span<const Value> literals) const {
    switch (op) {
      case Op::kIsNull:
        return may_be_null_;
      case Op::kNotNull:
        return may_be_nan_ || may_be_other_;
      case Op::kIsNan:
        return may_be_nan_;
      case Op::kNotNan:
        return may_be_other_;
      default:
        return (may_be_nan_ && NanPasses(op)) || (may_be_other_ && OtherMayMatch(op, literals));
    }
  }

 private:
  bool OtherMayMatch(Op op, std::span<const Value> literals) const {
    const bool one_value =
        !lower_.is_null() && !upper_.is_null() && CompareValues(lower_, upper_) == 0;
    if (one_value) return Passes(op, lower_, literals);
    switch (op) {
      case Op::kLess:
        return LowerIsBelow(literals[0].view());
      case Op::kLessEqual:
        return LowerIsAtMost(literals[0].view());
      case Op::kGreater:
        return UpperIsAbove(literals[0].view());
      case Op::kGreaterEqual:
        return UpperIsAtLeast(literals[0].view());
      case Op::kEqual:
        return LowerIsAtMost(literals[0].view()) && UpperIsAtLeast(literals[0].view());
      case Op::kIn:
        return AnyWithin(literals);
      case Op::kStartsWith:
        return AnyStartsWith(literals[0].view().text());
      case Op::kLike:
        return AnyStartsWith(literals[1].view().text());
      case Op::kNotStartsWith:
        return !AllStartWith(literals[0].view().text());
      default:
        return true;
    }
  }

  bool LowerIsBelow(const ValueView& c) const {
    return lower_.is_null() || CompareValues(lower_, c) < 0;
  }
  bool LowerIsAtMost(const ValueView& c) const {
    return lower_.is_null() || CompareValues(lower_, c) <= 0;
  }
  bool UpperIsAbove(const ValueView& c) const {
    return upper_.is_null() || CompareValues(upper_, c) > 0;
  }
  bool UpperIsAtLeast(const ValueView& c) const {
    return upper_.is_null() || CompareValues(upper_, c) >= 0;
  }

  bool AnyWithin(std::span<const Value> sorted) const {
    const auto* first = sorted.data();
    const auto* end = first + sorted.size();
    // The first that is not below the lower bound: if it is above the upper one, so are the others.
    const auto* it = std::partition_point(
        first, end, [this](const Value& c) { return !LowerIsAtMost(c.view()); });
    return it != end && UpperIsAtLeast(it->view());
  }

  /// Texts that start with a prefix are those from the prefix itself up to the first one above that
  /// does not start with it.
  bool AnyStartsWith(std::string_view prefix) const {
    const bool lower_fits = lower_.is_null() || lower_.text().substr(0, prefix.size()) <= prefix;
    return lower_fits && UpperIsAtLeast(ValueView::Bytes(prefix));
  }

  bool AllStartWith(std::string_view prefix) const {
    return !lower_.is_null() && !upper_.is_null() && lower_.text().starts_with(prefix) &&
           upper_.text().starts_with(prefix);
  }

  /// Null when not known.
  ValueView lower_;
  ValueView upper_;
  bool may_be_null_;
  bool may_be_nan_;
  bool may_be_other_;
};

bool MustMatch(const Evidence& evidence, Op op, std::span<const Value> literals) {
  const bool none_fails = !evidence.MayMatch(Negated(op), literals);
  return op == Op::kIsNull ? none_fails : none_fails && !evidence.may_be_null();
}

/// Evaluates the subtree at `at`, given the outcome of each leaf.
template <typename Leaf>
bool EvaluateTree(const BoundFilter& filter, uint32_t at, const Leaf& evaluate_leaf) {
  const BoundFilter::Node& node = filter.nodes[at];
  switch (node.op) {
    case Op::kTrue:
      return true;
    case Op::kFalse:
      return false;
    case Op::kAnd:
    case Op::kOr: {
      const bool decides = node.op == Op::kOr;
      for (uint32_t child = at + 1; child < node.end; child = filter.nodes[child].end) {
        if (EvaluateTree(filter, child, evaluate_leaf) == decides) return decides;
      }
      return !decides;
    }
    default:
      return evaluate_leaf(node);
  }
}

}  // namespace

bool Evaluate(const BoundFilter& filter, const StatsSource& source, Mode mode) {
  // A range tests one column twice in a row.
  std::optional<Evidence> evidence;
  uint32_t evidence_column = 0;
  return EvaluateTree(filter, 0, [&](const BoundFilter::Node& node) {
    if (!evidence || evidence_column != node.column) {
      const BoundFilter::Column& column = filter.columns[node.column];
      evidence.emplace(column, source.Stats(column));
      evidence_column = node.column;
    }
    const std::span<const Value> literals = filter.literals_of(node);
    return mode == Mode::kInclusive ? evidence->MayMatch(node.op, literals)
                                    : MustMatch(*evidence, node.op, literals);
  });
}

bool EvaluateLeaf(const BoundFilter& filter, const BoundFilter::Node& leaf,
                  const ValueView& value) {
  if (value.is_null()) return leaf.op == Op::kIsNull;
  return Passes(leaf.op, value, filter.literals_of(leaf));
}

bool EvaluateRow(const BoundFilter& filter, std::span<const ValueView> row) {
  return EvaluateTree(filter, 0, [&](const BoundFilter::Node& node) {
    return EvaluateLeaf(filter, node, row[node.column]);
  });
}

}  // namespace nunatak
