#include "nunatak/cli/row_key_option.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "nunatak/base/error.h"

namespace nunatak::cli {

namespace {

class KeyParser {
 public:
  explicit KeyParser(std::string_view text) : text_(text) {}

  Expr Parse() {
    std::vector<Expr> terms = {Term()};
    while (at_ < text_.size()) {
      Expect(',');
      terms.push_back(Term());
    }
    if (terms.size() == 1) return std::move(terms[0]);
    return Expr{.op = Op::kAnd, .children = std::move(terms)};
  }

 private:
  struct Word {
    std::string text;
    bool quoted = false;
  };

  [[noreturn]] void Throw(std::string_view what) const {
    ThrowUsage(fmt::format("--key '{}': {}", text_, what),
               "for example --key order_id=17, or --key \"country=DE,city='Frankfurt, Oder'\"");
  }

  void Expect(char c) {
    if (at_ == text_.size() || text_[at_] != c) Throw(fmt::format("expected '{}'", c));
    ++at_;
  }

  Word ParseWord(std::string_view ends) {
    if (at_ < text_.size() && std::string_view("\"'`").find(text_[at_]) != std::string_view::npos) {
      return Quoted(text_[at_++]);
    }
    const size_t end = std::min(text_.find_first_of(ends, at_), text_.size());
    Word word{.text = std::string(text_.substr(at_, end - at_))};
    at_ = end;
    return word;
  }

  Word Quoted(char quote) {
    Word word{.quoted = true};
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == quote) {
        ++at_;
        if (at_ == text_.size() || text_[at_] != quote) return word;
      }
      word.text += text_[at_];
    }
    Throw("a quote is never closed");
  }

  Expr Term() {
    Expr term{.op = Op::kEqual};
    term.column = ParseWord("=,").text;
    if (term.column.empty()) Throw("a column has no name");
    Expect('=');
    Word value = ParseWord(",");
    if (!value.quoted && value.text == "null") {
      term.op = Op::kIsNull;
    } else {
      term.literals.push_back({.kind = Literal::Kind::kText, .text = std::move(value.text)});
    }
    return term;
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

Expr ParseRowKey(std::string_view text) { return KeyParser(text).Parse(); }

}  // namespace nunatak::cli
