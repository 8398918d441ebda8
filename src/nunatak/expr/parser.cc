#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

#include "nunatak/expr/expr.h"
#include "nunatak/expr/literal_syntax.h"
#include "nunatak/expr/op.h"
#include "nunatak/expr/token_stream.h"

namespace nunatak {

namespace {

/// Parentheses within parentheses; each level costs stack here and wherever the tree is walked.
constexpr int kMaxNesting = 100;

struct Comparison {
  std::string_view symbol;
  Op op;
};

constexpr std::array kComparisons = {
    Comparison{"=", Op::kEqual},     Comparison{"==", Op::kEqual},
    Comparison{"!=", Op::kNotEqual}, Comparison{"<>", Op::kNotEqual},
    Comparison{"<", Op::kLess},      Comparison{"<=", Op::kLessEqual},
    Comparison{">", Op::kGreater},   Comparison{">=", Op::kGreaterEqual},
};

struct Name {
  std::string path;
  size_t offset = 0;
};

Expr Leaf(Op op, const Name& name, std::vector<Literal> literals = {}) {
  Expr leaf{.op = op, .column = name.path, .offset = name.offset};
  leaf.literals = std::move(literals);
  return leaf;
}

Expr Branch(Op op, std::vector<Expr> children) {
  return {.op = op, .children = std::move(children)};
}

Expr NegateIf(bool negated, Expr expr) {
  if (!negated) return expr;
  std::vector<Expr> child;
  child.push_back(std::move(expr));
  return Branch(Op::kNot, std::move(child));
}

/// Recursive descent; AND and OR chains are loops, so that only parentheses nest.
class Parser {
 public:
  explicit Parser(std::string_view text) : tokens_(text) {}

  Expr Run() {
    Expr expr = TakeOr();
    if (tokens_.Peek().kind != Token::Kind::kEnd) {
      tokens_.FailExpecting("AND, OR or the end of the filter");
    }
    return expr;
  }

 private:
  Expr TakeOr() {
    return TakeChain(Op::kOr, "or",
                     [this] { return TakeChain(Op::kAnd, "and", [this] { return TakeNot(); }); });
  }

  template <typename TakeTerm>
  Expr TakeChain(Op op, std::string_view word, TakeTerm take_term) {
    std::vector<Expr> terms;
    do {
      terms.push_back(take_term());
    } while (tokens_.TakeWord(word));
    if (terms.size() == 1) return std::move(terms.front());
    return Branch(op, std::move(terms));
  }

  Expr TakeNot() {
    bool negated = false;
    while (tokens_.TakeWord("not")) negated = !negated;
    return NegateIf(negated, TakeTerm());
  }

  Expr TakeTerm() {
    if (tokens_.PeekSymbol("(")) {
      if (++nesting_ > kMaxNesting) {
        tokens_.FailAt(tokens_.Peek().offset,
                       fmt::format("parentheses nest deeper than {} levels", kMaxNesting));
      }
      tokens_.Next();
      Expr inner = TakeOr();
      if (!tokens_.TakeSymbol(")")) tokens_.FailExpecting("AND, OR or ')'");
      --nesting_;
      return inner;
    }
    if (StartsLiteral(tokens_)) return TakeLiteralFirst();
    return TakePredicate();
  }

  /// `TRUE` alone, or a comparison whose literal stands on the left.
  Expr TakeLiteralFirst() {
    Literal literal = TakeLiteral(&tokens_);
    const Comparison* comparison = TakeComparison();
    if (comparison) return Leaf(Mirrored(comparison->op), TakeName(), {std::move(literal)});
    if (literal.kind == Literal::Kind::kBoolean) {
      return {.op = literal.boolean ? Op::kTrue : Op::kFalse};
    }
    tokens_.FailExpecting("a comparison (=, !=, <, <=, >, >=) after the literal");
  }

  const Comparison* TakeComparison() {
    for (const Comparison& comparison : kComparisons) {
      if (tokens_.TakeSymbol(comparison.symbol)) return &comparison;
    }
    return nullptr;
  }

  Name TakeName() {
    Name name{.path = "", .offset = tokens_.Peek().offset};
    for (;;) {
      const Token& part = tokens_.Peek();
      const bool word = part.kind == Token::Kind::kWord && !IsReservedWord(part.text);
      if (!word && part.kind != Token::Kind::kQuoted) {
        tokens_.FailExpecting("the name of a column",
                              part.kind == Token::Kind::kWord
                                  ? "a name that is also a keyword stands in double quotes"
                                  : "");
      }
      name.path += tokens_.Next().text;
      if (!tokens_.TakeSymbol(".")) return name;
      name.path += '.';
    }
  }

  Expr TakePredicate() {
    const Name name = TakeName();
    if (const Comparison* comparison = TakeComparison()) {
      return Leaf(comparison->op, name, {TakeLiteral(&tokens_)});
    }
    if (tokens_.TakeWord("is")) return TakeIs(name);
    const bool negated = tokens_.TakeWord("not");
    if (tokens_.TakeWord("in")) return TakeIn(negated, name);
    if (tokens_.TakeWord("between")) return NegateIf(negated, TakeBetween(name));
    if (tokens_.TakeWord("like")) return TakeLike(negated, name);
    if (negated) tokens_.FailExpecting("IN, BETWEEN or LIKE after NOT");
    if (!EndsPredicate()) {
      tokens_.FailExpecting(
          fmt::format("a comparison (=, !=, <, …), IN, BETWEEN, LIKE or IS after '{}'", name.path));
    }
    return Leaf(
        Op::kEqual, name,
        {{.kind = Literal::Kind::kBoolean, .text = "", .boolean = true, .offset = name.offset}});
  }

  /// Whether a column that stood alone is a predicate by itself.
  bool EndsPredicate() const {
    return tokens_.Peek().kind == Token::Kind::kEnd || tokens_.PeekSymbol(")") ||
           tokens_.PeekWord("and") || tokens_.PeekWord("or");
  }

  Expr TakeIs(const Name& name) {
    const bool negated = tokens_.TakeWord("not");
    if (tokens_.TakeWord("null")) return Leaf(negated ? Op::kNotNull : Op::kIsNull, name);
    if (tokens_.TakeWord("nan")) return Leaf(negated ? Op::kNotNan : Op::kIsNan, name);
    tokens_.FailExpecting(negated ? "NULL or NAN" : "NULL, NAN or NOT");
  }

  Expr TakeIn(bool negated, const Name& name) {
    tokens_.ExpectSymbol("(");
    std::vector<Literal> literals;
    do {
      literals.push_back(TakeLiteral(&tokens_));
    } while (tokens_.TakeSymbol(","));
    if (!tokens_.TakeSymbol(")")) tokens_.FailExpecting("',' or ')'");
    return Leaf(negated ? Op::kNotIn : Op::kIn, name, std::move(literals));
  }

  Expr TakeBetween(const Name& name) {
    std::vector<Expr> ends;
    ends.push_back(Leaf(Op::kGreaterEqual, name, {TakeLiteral(&tokens_)}));
    tokens_.ExpectWord("AND");
    ends.push_back(Leaf(Op::kLessEqual, name, {TakeLiteral(&tokens_)}));
    return Branch(Op::kAnd, std::move(ends));
  }

  Expr TakeLike(bool negated, const Name& name) {
    if (tokens_.Peek().kind != Token::Kind::kText) {
      tokens_.FailExpecting("a pattern in single quotes after LIKE");
    }
    return Leaf(negated ? Op::kNotLike : Op::kLike, name, {TakeLiteral(&tokens_)});
  }

  TokenStream tokens_;
  int nesting_ = 0;
};

}  // namespace

Expr ParseFilter(std::string_view text) {
  const size_t start = text.find_first_not_of(" \t\n\v\f\r");
  if (start == std::string_view::npos) return Expr{};
  if (text[start] == '{') return ParseFilterJson(text);
  return Parser(text).Run();
}

}  // namespace nunatak
