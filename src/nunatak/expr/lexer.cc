#include "nunatak/expr/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "nunatak/base/ascii_case.h"
#include "nunatak/base/bytes.h"
#include "nunatak/expr/caret.h"

namespace nunatak {

namespace {

bool IsSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
/// Every character beyond ASCII may be part of a name.
bool StartsWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool ContinuesWord(char c) { return StartsWord(c) || IsDigit(c) || c == '$'; }

constexpr std::array<std::string_view, 10> kReserved = {"and", "or",   "not",  "in",   "between",
                                                        "is",  "null", "like", "true", "false"};

/// The longest come first.
constexpr std::array<std::string_view, 14> kSymbols = {"<=", ">=", "<>", "!=", "==", "=", "<",
                                                       ">",  "(",  ")",  ",",  ".",  "-", "+"};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> Run() {
    const size_t valid = ValidUtf8Prefix(text_).size();
    if (valid < text_.size()) {
      ThrowAt(text_.substr(0, valid), valid, "the filter is not valid UTF-8 text");
    }
    std::vector<Token> tokens;
    do {
      while (at_ < text_.size() && IsSpace(text_[at_])) ++at_;
      tokens.push_back(Next());
    } while (tokens.back().kind != Token::Kind::kEnd);
    return tokens;
  }

 private:
  char At(size_t i) const { return i < text_.size() ? text_[i] : '\0'; }

  Token Next() {
    const size_t start = at_;
    if (start == text_.size()) return {Token::Kind::kEnd, "", start};
    const char c = text_[start];
    if (c == '\'') return {Token::Kind::kText, TakeQuoted(), start};
    if (c == '"' || c == '`') return {Token::Kind::kQuoted, TakeQuoted(), start};
    if (IsDigit(c) || (c == '.' && IsDigit(At(start + 1)))) {
      return {Token::Kind::kNumber, TakeNumber(), start};
    }
    if (StartsWord(c)) {
      while (ContinuesWord(At(at_))) ++at_;
      return {Token::Kind::kWord, std::string(text_.substr(start, at_ - start)), start};
    }
    for (std::string_view symbol : kSymbols) {
      if (!text_.substr(start).starts_with(symbol)) continue;
      at_ += symbol.size();
      return {Token::Kind::kSymbol, std::string(symbol), start};
    }
    ThrowAt(text_, start, fmt::format("unexpected character '{}' in the filter", c));
  }

  /// What stands between quotes; a doubled quote stands for itself.
  std::string TakeQuoted() {
    const size_t start = at_;
    const char quote = text_[at_++];
    std::string content;
    for (;;) {
      const size_t end = text_.find(quote, at_);
      if (end == std::string_view::npos) {
        ThrowAt(text_, start, fmt::format("the quote {} is never closed", quote));
      }
      content += text_.substr(at_, end - at_);
      at_ = end + 1;
      if (At(at_) != quote) return content;
      content += quote;
      ++at_;
    }
  }

  void SkipDigits() {
    while (IsDigit(At(at_))) ++at_;
  }

  std::string TakeNumber() {
    const size_t start = at_;
    SkipDigits();
    if (At(at_) == '.') {
      ++at_;
      SkipDigits();
    }
    if (ToLowerAscii(At(at_)) == 'e') {
      const size_t sign = At(at_ + 1) == '-' || At(at_ + 1) == '+' ? 1 : 0;
      if (IsDigit(At(at_ + 1 + sign))) {
        at_ += 1 + sign;
        SkipDigits();
      }
    }
    std::string number(text_.substr(start, at_ - start));
    const size_t suffix_start = at_;
    while (ContinuesWord(At(at_))) ++at_;
    CheckSuffix(number, text_.substr(suffix_start, at_ - suffix_start), suffix_start);
    return number;
  }

  void CheckSuffix(std::string_view number, std::string_view suffix, size_t offset) const {
    const bool integer = std::all_of(number.begin(), number.end(), IsDigit);
    for (std::string_view known : {"", "d", "f", "bd"}) {
      if (EqualsIgnoreCase(suffix, known)) return;
    }
    for (std::string_view known : {"l", "s", "y"}) {
      if (integer && EqualsIgnoreCase(suffix, known)) return;
    }
    ThrowAt(text_, offset, fmt::format("'{}' does not fit after the number {}", suffix, number),
            "text stands in single quotes; a name that begins with a digit in double quotes");
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

std::vector<Token> Tokenize(std::string_view text) { return Lexer(text).Run(); }

bool IsReservedWord(std::string_view word) {
  return std::any_of(kReserved.begin(), kReserved.end(), [word](std::string_view reserved) {
    return EqualsIgnoreCase(word, reserved);
  });
}

bool IsPlainName(std::string_view name) {
  return !name.empty() && StartsWord(name[0]) &&
         std::all_of(name.begin(), name.end(), ContinuesWord) && !IsReservedWord(name);
}

}  // namespace nunatak
