#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "nunatak/base/ascii_case.h"
#include "nunatak/expr/lexer.h"

namespace nunatak {

/// The tokens of a filter, taken one after the other.
class TokenStream {
 public:
  /// `text` outlives the stream.
  explicit TokenStream(std::string_view text) : text_(text), tokens_(Tokenize(text)) {}

  const Token& Peek(size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  const Token& Next() {
    const Token& token = Peek();
    if (token.kind != Token::Kind::kEnd) ++at_;
    return token;
  }

  bool PeekSymbol(std::string_view symbol, size_t ahead = 0) const {
    return Peek(ahead).kind == Token::Kind::kSymbol && Peek(ahead).text == symbol;
  }
  /// Keywords have no case.
  bool PeekWord(std::string_view word, size_t ahead = 0) const {
    return Peek(ahead).kind == Token::Kind::kWord && EqualsIgnoreCase(Peek(ahead).text, word);
  }
  bool TakeSymbol(std::string_view symbol) {
    const bool found = PeekSymbol(symbol);
    if (found) Next();
    return found;
  }
  bool TakeWord(std::string_view word) {
    const bool found = PeekWord(word);
    if (found) Next();
    return found;
  }
  void ExpectSymbol(std::string_view symbol);
  void ExpectWord(std::string_view word);

  /// Throws `ErrorCode::kUsage`: "expected `expected`, found …", with a caret under the next token.
  [[noreturn]] void FailExpecting(std::string_view expected, std::string hint = "") const;
  [[noreturn]] void FailAt(size_t offset, std::string message, std::string hint = "") const;

 private:
  std::string_view text_;
  std::vector<Token> tokens_;
  size_t at_ = 0;
};

}  // namespace nunatak
