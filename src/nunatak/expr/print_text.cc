#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "nunatak/expr/bound_filter.h"
#include "nunatak/expr/decimal_text.h"
#include "nunatak/expr/lexer.h"
#include "nunatak/expr/like_pattern.h"
#include "nunatak/table/value_json.h"

namespace nunatak {

namespace {

std::string Quote(std::string_view text, char quote) {
  std::string quoted(1, quote);
  for (char c : text) {
    quoted += c;
    if (c == quote) quoted += quote;
  }
  return quoted + quote;
}

/// A dotted path of plain names as it is; anything else as one quoted name, which means the same.
std::string NameText(std::string_view path) {
  std::string_view rest = path;
  for (;;) {
    const size_t dot = rest.find('.');
    if (!IsPlainName(rest.substr(0, dot))) return Quote(path, '"');
    if (dot == std::string_view::npos) return std::string(path);
    rest.remove_prefix(dot + 1);
  }
}

/// The fewest digits that are read as the same number.
std::string RealText(const Type& type, double value) {
  if (std::isinf(value)) return value < 0 ? "'-Infinity'" : "'Infinity'";
  if (type.id() == TypeId::kFloat) {
    const auto single = static_cast<float>(value);
    const std::string text = fmt::format("{}", single);
    // Reading goes by way of double, which may round to the other side.
    if (static_cast<float>(DecimalText::Parse(text)->Nearest()) == single) return text;
  }
  return fmt::format("{}", value);
}

std::string LiteralText(const Type& type, const ValueView& value) {
  switch (type.id()) {
    case TypeId::kBoolean:
      return value.integer != 0 ? "TRUE" : "FALSE";
    case TypeId::kFloat:
    case TypeId::kDouble:
      return RealText(type, value.real);
    case TypeId::kDate:
      return fmt::format("DATE '{}'", ValueToText(type, value));
    case TypeId::kTime:
      return fmt::format("TIME '{}'", ValueToText(type, value));
    case TypeId::kTimestamp:
    case TypeId::kTimestampTz:
    case TypeId::kTimestampNs:
    case TypeId::kTimestampTzNs:
      return fmt::format("TIMESTAMP '{}'", ValueToText(type, value));
    case TypeId::kString:
      return Quote(value.text(), '\'');
    case TypeId::kUuid:
      return fmt::format("UUID '{}'", ValueToText(type, value));
    case TypeId::kFixed:
    case TypeId::kBinary:
      return fmt::format("X'{}'", ToHex(value.span()));
    default:
      return ValueToText(type, value);
  }
}

/// How a leaf reads: "{0}" is the name, "{1}" the literals.
std::string_view LeafFormat(Op op) {
  switch (op) {
    case Op::kIsNull:
      return "{0} IS NULL";
    case Op::kNotNull:
      return "{0} IS NOT NULL";
    case Op::kIsNan:
      return "{0} IS NAN";
    case Op::kNotNan:
      return "{0} IS NOT NAN";
    case Op::kLess:
      return "{0} < {1}";
    case Op::kLessEqual:
      return "{0} <= {1}";
    case Op::kGreater:
      return "{0} > {1}";
    case Op::kGreaterEqual:
      return "{0} >= {1}";
    case Op::kEqual:
      return "{0} = {1}";
    case Op::kNotEqual:
      return "{0} != {1}";
    case Op::kIn:
      return "{0} IN ({1})";
    case Op::kNotIn:
      return "{0} NOT IN ({1})";
    case Op::kStartsWith:
    case Op::kLike:
      return "{0} LIKE {1}";
    default:
      return "{0} NOT LIKE {1}";
  }
}

std::string LiteralsText(const BoundFilter& filter, const BoundFilter::Node& node) {
  const std::span<const Value> literals = filter.literals_of(node);
  switch (node.op) {
    case Op::kStartsWith:
    case Op::kNotStartsWith:
      return Quote(LikePattern::Escape(literals[0].bytes()) + "%", '\'');
    case Op::kLike:
    case Op::kNotLike:
      return Quote(literals[0].bytes(), '\'');
    default:
      break;
  }
  std::string text;
  for (const Value& literal : literals) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ",
                        LiteralText(filter.columns[node.column].type, literal.view()));
  }
  return text;
}

void AppendText(const BoundFilter& filter, uint32_t at, bool nested, std::string* text) {
  const BoundFilter::Node& node = filter.nodes[at];
  switch (node.op) {
    case Op::kTrue:
      *text += "TRUE";
      return;
    case Op::kFalse:
      *text += "FALSE";
      return;
    case Op::kAnd:
    case Op::kOr: {
      if (nested) *text += '(';
      for (uint32_t child = at + 1; child < node.end; child = filter.nodes[child].end) {
        if (child != at + 1) *text += node.op == Op::kAnd ? " AND " : " OR ";
        AppendText(filter, child, true, text);
      }
      if (nested) *text += ')';
      return;
    }
    default:
      *text += fmt::format(fmt::runtime(LeafFormat(node.op)),
                           NameText(filter.columns[node.column].name), LiteralsText(filter, node));
  }
}

}  // namespace

std::string FilterToText(const BoundFilter& filter) {
  std::string text;
  AppendText(filter, 0, false, &text);
  return text;
}

}  // namespace nunatak
