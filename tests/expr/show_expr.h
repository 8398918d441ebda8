#pragma once

#include <fmt/format.h>

#include <string>

#include "nunatak/base/bytes.h"
#include "nunatak/expr/expr.h"
#include "nunatak/expr/op.h"

namespace nunatak {

/// A literal as tests spell it: number:5, text:a, date:2024-01-01, binary:00FF, true, null.
inline std::string Show(const Literal& literal) {
  switch (literal.kind) {
    case Literal::Kind::kNull:
      return "null";
    case Literal::Kind::kBoolean:
      return literal.boolean ? "true" : "false";
    case Literal::Kind::kNumber:
      return "number:" + literal.text;
    case Literal::Kind::kText:
      return "text:" + literal.text;
    case Literal::Kind::kDate:
      return "date:" + literal.text;
    case Literal::Kind::kTime:
      return "time:" + literal.text;
    case Literal::Kind::kTimestamp:
      return "timestamp:" + literal.text;
    case Literal::Kind::kUuid:
      return "uuid:" + literal.text;
    case Literal::Kind::kBinary:
      return "binary:" + ToHex(AsBytes(literal.text));
  }
  return "?";
}

/// An unbound filter in prefix form: (and (lt a number:5) (not (is-null b))).
inline std::string Show(const Expr& expr) {
  std::string text = fmt::format("({}", OpName(expr.op));
  for (const Expr& child : expr.children) text += " " + Show(child);
  if (!expr.column.empty()) text += " " + expr.column;
  if (expr.column_id) text += fmt::format(" #{}", *expr.column_id);
  for (const Literal& literal : expr.literals) text += " " + Show(literal);
  return text + ")";
}

}  // namespace nunatak
