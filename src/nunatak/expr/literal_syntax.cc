#include "nunatak/expr/literal_syntax.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

#include "nunatak/base/ascii_case.h"
#include "nunatak/base/bytes.h"
#include "nunatak/expr/decimal_text.h"

namespace nunatak {

namespace {

using Kind = Literal::Kind;

constexpr std::string_view kExpected = "a literal";
constexpr int kMaxScale = 38;

/// A word that makes a typed literal of the quotes or parentheses after it.
struct TypeWord {
  std::string_view word;
  Kind kind;
  bool integral = false;
};

constexpr std::array kTypeWords = {
    TypeWord{"date", Kind::kDate},
    TypeWord{"time", Kind::kTime},
    TypeWord{"timestamp", Kind::kTimestamp},
    TypeWord{"timestamp_ntz", Kind::kTimestamp},
    TypeWord{"timestamp_ltz", Kind::kTimestamp},
    TypeWord{"timestamptz", Kind::kTimestamp},
    TypeWord{"timestamp_ns", Kind::kTimestamp},
    TypeWord{"timestamptz_ns", Kind::kTimestamp},
    TypeWord{"uuid", Kind::kUuid},
    TypeWord{"x", Kind::kBinary},
    TypeWord{"double", Kind::kNumber},
    TypeWord{"float", Kind::kNumber},
    TypeWord{"real", Kind::kNumber},
    TypeWord{"decimal", Kind::kNumber},
    TypeWord{"numeric", Kind::kNumber},
    TypeWord{"int", Kind::kNumber, true},
    TypeWord{"integer", Kind::kNumber, true},
    TypeWord{"bigint", Kind::kNumber, true},
    TypeWord{"long", Kind::kNumber, true},
    TypeWord{"smallint", Kind::kNumber, true},
    TypeWord{"tinyint", Kind::kNumber, true},
    TypeWord{"string", Kind::kText},
    TypeWord{"varchar", Kind::kText},
    TypeWord{"boolean", Kind::kBoolean},
};

const TypeWord* FindTypeWord(const Token& token) {
  if (token.kind != Token::Kind::kWord) return nullptr;
  for (const TypeWord& type : kTypeWords) {
    if (EqualsIgnoreCase(type.word, token.text)) return &type;
  }
  return nullptr;
}

bool IsQuoted(const Token& token) {
  return token.kind == Token::Kind::kText || token.kind == Token::Kind::kQuoted;
}

/// "NaN", "Infinity" or "-Infinity" in that spelling, for any case of the word.
std::optional<std::string> SpecialNumber(std::string_view word) {
  for (std::string_view special : {"NaN", "Infinity", "-Infinity"}) {
    if (EqualsIgnoreCase(word, special)) return std::string(special);
  }
  return std::nullopt;
}

std::optional<Literal> AsNumber(Literal literal, const TypeWord& type, int scale) {
  if (literal.kind == Kind::kText) {
    if (std::optional<std::string> special = SpecialNumber(literal.text)) {
      literal.text = std::move(*special);
      literal.kind = Kind::kNumber;
      if (type.integral || scale < kMaxScale) return std::nullopt;
      return literal;
    }
  }
  const std::optional<DecimalText> number = DecimalText::Parse(literal.text);
  if (!number) return std::nullopt;
  // A cast that would round is not a literal's business.
  const DecimalText::Floored at_scale = number->FloorAtScale(type.integral ? 0 : scale);
  const bool any_scale = !type.integral && scale == kMaxScale;
  if (!any_scale && (!at_scale.exact || at_scale.beyond != 0)) return std::nullopt;
  literal.kind = Kind::kNumber;
  return literal;
}

std::optional<Literal> AsBoolean(Literal literal) {
  if (literal.kind == Kind::kText) {
    literal.boolean = EqualsIgnoreCase(literal.text, "true");
    if (!literal.boolean && !EqualsIgnoreCase(literal.text, "false")) return std::nullopt;
    literal.kind = Kind::kBoolean;
    literal.text.clear();
  }
  if (literal.kind != Kind::kBoolean) return std::nullopt;
  return literal;
}

/// The literal as one of the word's type; nullopt when it does not have that form. Dates and times
/// keep their text, which is read once the column is known.
std::optional<Literal> Retype(Literal literal, const TypeWord& type, int scale) {
  if (literal.kind == Kind::kNull) return literal;
  switch (type.kind) {
    case Kind::kNumber:
      if (literal.kind != Kind::kText && literal.kind != Kind::kNumber) return std::nullopt;
      return AsNumber(std::move(literal), type, scale);
    case Kind::kBoolean:
      return AsBoolean(std::move(literal));
    case Kind::kBinary: {
      std::optional<std::string> bytes = ParseHex(literal.text);
      if (literal.kind != Kind::kText || !bytes) return std::nullopt;
      literal.text = std::move(*bytes);
      break;
    }
    case Kind::kText:
      if (literal.kind != Kind::kText && literal.kind != Kind::kNumber) return std::nullopt;
      break;
    default:
      if (literal.kind != Kind::kText && literal.kind != type.kind) return std::nullopt;
      break;
  }
  literal.kind = type.kind;
  return literal;
}

Literal RetypeOrFail(const TokenStream& tokens, Literal literal, const TypeWord& type, int scale) {
  const size_t offset = literal.offset;
  const std::string text = literal.text;
  std::optional<Literal> result = Retype(std::move(literal), type, scale);
  if (!result) {
    tokens.FailAt(
        offset, fmt::format("'{}' is not a literal of the type {}", text, type.word),
        type.kind == Kind::kBinary ? "binary literals are pairs of hex digits: X'00FF'" : "");
  }
  return *std::move(result);
}

/// CAST(literal AS type), whose first two tokens are taken. `offset` is that of CAST.
Literal TakeCast(TokenStream* tokens, size_t offset) {
  Literal literal = TakeLiteral(tokens);
  tokens->ExpectWord("AS");
  const TypeWord* type = FindTypeWord(tokens->Peek());
  if (!type) tokens->FailExpecting("the name of a type");
  tokens->Next();
  int scale = kMaxScale;
  if (tokens->TakeSymbol("(")) {
    // decimal(precision, scale) or varchar(length); the precision has no influence here.
    const auto take_count = [&] {
      const std::optional<DecimalText> count = DecimalText::Parse(tokens->Peek().text);
      if (!count || tokens->Peek().kind != Token::Kind::kNumber) tokens->FailExpecting("a number");
      const DecimalText::Floored value = count->FloorAtScale(0);
      if (!value.exact || value.beyond != 0 || value.value > kMaxScale) {
        tokens->FailExpecting("a whole number up to 38");
      }
      tokens->Next();
      return static_cast<int>(value.value);
    };
    take_count();
    scale = tokens->TakeSymbol(",") ? take_count() : 0;
    tokens->ExpectSymbol(")");
  }
  tokens->ExpectSymbol(")");
  literal.offset = offset;
  return RetypeOrFail(*tokens, std::move(literal), *type, scale);
}

Literal TakeTyped(TokenStream* tokens, const TypeWord& type, size_t offset) {
  Literal literal;
  if (tokens->TakeSymbol("(")) {
    literal = TakeLiteral(tokens);
    tokens->ExpectSymbol(")");
  } else {
    literal = {.kind = Kind::kText, .text = tokens->Next().text};
  }
  literal.offset = offset;
  return RetypeOrFail(*tokens, std::move(literal), type, kMaxScale);
}

/// A number after its sign, if there was one.
std::optional<Literal> TakeNumber(TokenStream* tokens, std::string_view sign) {
  const Token& token = tokens->Peek();
  std::optional<std::string> text;
  if (token.kind == Token::Kind::kNumber) {
    text = fmt::format("{}{}", sign, token.text);
  } else if (token.kind == Token::Kind::kWord) {
    text = SpecialNumber(fmt::format("{}{}", sign, token.text));
  }
  if (!text) return std::nullopt;
  tokens->Next();
  return Literal{.kind = Kind::kNumber, .text = std::move(*text)};
}

}  // namespace

bool StartsLiteral(const TokenStream& tokens) {
  const Token& token = tokens.Peek();
  if (token.kind == Token::Kind::kText || token.kind == Token::Kind::kNumber) return true;
  if (tokens.PeekSymbol("-") || tokens.PeekSymbol("+")) return true;
  for (std::string_view word : {"true", "false", "null"}) {
    if (tokens.PeekWord(word)) return true;
  }
  const bool parenthesis = tokens.PeekSymbol("(", 1);
  if (tokens.PeekWord("cast") && parenthesis) return true;
  return FindTypeWord(token) && (parenthesis || IsQuoted(tokens.Peek(1)));
}

Literal TakeLiteral(TokenStream* tokens) {
  const Token token = tokens->Peek();
  const auto place = [&](Literal literal) {
    literal.offset = token.offset;
    return literal;
  };
  if (token.kind == Token::Kind::kText) {
    tokens->Next();
    return place({.kind = Kind::kText, .text = token.text});
  }
  if (tokens->TakeWord("null")) return place({.kind = Kind::kNull});
  if (tokens->TakeWord("true")) return place({.kind = Kind::kBoolean, .boolean = true});
  if (tokens->TakeWord("false")) return place({.kind = Kind::kBoolean});
  if (StartsLiteral(*tokens) && token.kind == Token::Kind::kWord) {
    const TypeWord* type = FindTypeWord(token);
    tokens->Next();
    if (type) return TakeTyped(tokens, *type, token.offset);
    tokens->ExpectSymbol("(");
    return TakeCast(tokens, token.offset);
  }
  const std::string_view sign = tokens->TakeSymbol("-") ? "-" : "";
  if (sign.empty()) tokens->TakeSymbol("+");
  if (std::optional<Literal> number = TakeNumber(tokens, sign)) return place(std::move(*number));
  const Token::Kind found = tokens->Peek().kind;
  tokens->FailExpecting(kExpected, found == Token::Kind::kQuoted || found == Token::Kind::kWord
                                       ? "text stands in single quotes: 'text'; names are "
                                         "compared with literals, not with other names"
                                       : "");
}

}  // namespace nunatak
