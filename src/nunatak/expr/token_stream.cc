#include "nunatak/expr/token_stream.h"

#include <fmt/format.h>

#include <utility>

#include "nunatak/expr/caret.h"

namespace nunatak {

namespace {

std::string Describe(const Token& token) {
  switch (token.kind) {
    case Token::Kind::kEnd:
      return "the end of the filter";
    case Token::Kind::kQuoted:
      return fmt::format("the quoted name \"{}\"", token.text);
    case Token::Kind::kText:
      return fmt::format("the text '{}'", token.text);
    case Token::Kind::kNumber:
      return fmt::format("the number {}", token.text);
    case Token::Kind::kWord:
    case Token::Kind::kSymbol:
      return fmt::format("'{}'", token.text);
  }
  return "";
}

}  // namespace

void TokenStream::ExpectSymbol(std::string_view symbol) {
  if (!TakeSymbol(symbol)) FailExpecting(fmt::format("'{}'", symbol));
}

void TokenStream::ExpectWord(std::string_view word) {
  if (!TakeWord(word)) FailExpecting(word);
}

void TokenStream::FailExpecting(std::string_view expected, std::string hint) const {
  FailAt(Peek().offset, fmt::format("expected {}, found {}", expected, Describe(Peek())),
         std::move(hint));
}

void TokenStream::FailAt(size_t offset, std::string message, std::string hint) const {
  ThrowAt(text_, offset, std::move(message), std::move(hint));
}

}  // namespace nunatak
