#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/base/json.h"
#include "nunatak/expr/expr.h"
#include "nunatak/expr/op.h"

namespace nunatak {

namespace {

constexpr std::string_view kNoTransforms =
    "a filter names columns; compare the column itself, which prunes partitions just as well";

/// Whether the field is there, be it null: NULL is a literal, a missing value a mistake.
bool HasField(const JsonObject& object, std::string_view key) {
  bool found = false;
  object.ForEach([&](std::string_view name, Json) { found = found || name == key; });
  return found;
}

Literal ToLiteral(Json value) {
  Literal literal;
  if (value.IsObject()) {
    const JsonObject object = value.Object();
    if (object.String("type") != "literal") {
      ThrowUsage(fmt::format("expected a literal, got {}", value.ToText()));
    }
    if (const std::optional<Json> inner = object.Find("value")) literal = ToLiteral(*inner);
  } else if (value.IsBool()) {
    literal = {.kind = Literal::Kind::kBoolean, .text = "", .boolean = value.Bool()};
  } else if (value.IsString()) {
    literal = {.kind = Literal::Kind::kText, .text = std::string(value.String())};
  } else if (value.IsNumber()) {
    literal = {.kind = Literal::Kind::kNumber, .text = value.ToText()};
  } else if (!value.IsNull()) {
    ThrowUsage(fmt::format("expected a literal, got {}", value.ToText()));
  }
  literal.from_json = true;
  literal.offset = std::string::npos;
  return literal;
}

/// Fills the column of `leaf` from a name or a reference.
void SetColumn(Json term, Expr* leaf) {
  leaf->offset = std::string::npos;
  if (term.IsString()) {
    leaf->column = term.String();
    return;
  }
  const JsonObject object = term.Object();
  const std::string type = object.String("type");
  if (type == "transform" || type == "apply") {
    ThrowUsage(fmt::format("the term is a {}, which filters do not support",
                           type == "apply" ? "function call" : "transform"),
               std::string(kNoTransforms));
  }
  if (type != "reference") ThrowUsage(fmt::format("expected a reference, got '{}'", type));
  if (const std::optional<int32_t> id = object.FindInt32("id")) {
    leaf->column_id = *id;
    return;
  }
  const std::optional<Json> nested = object.Find("term");
  leaf->column = nested ? nested->String() : object.At("name").String();
}

bool IsReference(Json value) {
  if (!value.IsObject()) return false;
  return value.Object().FindString("type").value_or("") != "literal";
}

/// {"left", "right"}: one side is a reference, the other a literal.
Expr FromSides(Op op, const JsonObject& object) {
  Json left = object.At("left");
  Json right = object.At("right");
  if (!IsReference(left)) {
    std::swap(left, right);
    op = Mirrored(op);
    if (!IsReference(left)) {
      ThrowUsage("a comparison needs a column on one side",
                 R"(write {"type": "reference", "name": "column"})");
    }
  }
  if (IsReference(right)) ThrowUsage("columns are compared with literals, not with each other");
  Expr leaf{.op = op};
  WithContext("left", [&] { SetColumn(left, &leaf); });
  leaf.literals.push_back(WithContext("right", [&] { return ToLiteral(right); }));
  return leaf;
}

Expr FromComparison(Op op, const JsonObject& object) {
  if (!object.Find("term")) return FromSides(op, object);
  Expr leaf{.op = op};
  WithContext("term", [&] { SetColumn(object.At("term"), &leaf); });
  if (!HasField(object, "value")) ThrowUsage("required field 'value' is missing");
  const std::optional<Json> value = object.Find("value");
  leaf.literals.push_back(value ? WithContext("value", [&] { return ToLiteral(*value); })
                                : Literal{.from_json = true, .offset = std::string::npos});
  return leaf;
}

Expr FromSet(Op op, const JsonObject& object) {
  Expr leaf{.op = op};
  const std::optional<Json> term = object.Find("term");
  WithContext("term", [&] { SetColumn(term ? *term : object.At("child"), &leaf); });
  const auto add = [&](Json value) { leaf.literals.push_back(ToLiteral(value)); };
  const Json values = object.At("values");
  if (values.IsArray()) {
    object.ForEachIn("values", add);
  } else {
    WithContext("values", [&] {
      const JsonObject typed = values.Object();
      typed.At("values");
      typed.ForEachIn("values", add);
    });
  }
  return leaf;
}

Expr FromUnary(Op op, const JsonObject& object) {
  Expr leaf{.op = op};
  const std::optional<Json> term = object.Find("term");
  WithContext("term", [&] { SetColumn(term ? *term : object.At("child"), &leaf); });
  return leaf;
}

Expr FromJson(Json json);

Expr FromChildren(Op op, const JsonObject& object, std::initializer_list<std::string_view> keys) {
  Expr branch{.op = op};
  for (std::string_view key : keys) {
    branch.children.push_back(WithContext(key, [&] { return FromJson(object.At(key)); }));
  }
  return branch;
}

/// Recursion is bounded by the depth that `JsonDocument` accepts.
Expr FromJson(Json json) {
  if (json.IsBool()) return {.op = json.Bool() ? Op::kTrue : Op::kFalse};
  const JsonObject object = json.Object();
  const std::string type = object.String("type");
  const std::optional<Op> op = OpFromName(type);
  if (!op) {
    ThrowUsage(fmt::format("'{}' is not an expression type", type),
               fmt::format("known are {}", KnownOpNames()));
  }
  switch (*op) {
    case Op::kTrue:
    case Op::kFalse:
      return {.op = *op};
    case Op::kAnd:
    case Op::kOr:
      return FromChildren(*op, object, {"left", "right"});
    case Op::kNot:
      return FromChildren(*op, object, {"child"});
    case Op::kIsNull:
    case Op::kNotNull:
    case Op::kIsNan:
    case Op::kNotNan:
      return FromUnary(*op, object);
    case Op::kIn:
    case Op::kNotIn:
      return FromSet(*op, object);
    default:
      return FromComparison(*op, object);
  }
}

}  // namespace

Expr ParseFilterJson(std::string_view text) {
  try {
    const JsonDocument document = JsonDocument::Parse(text, LongIntegers::kRefused);
    return FromJson(document.root());
  } catch (const Error& error) {
    throw Error(ErrorCode::kUsage, fmt::format("filter: {}", error.message()), error.hint());
  }
}

}  // namespace nunatak
