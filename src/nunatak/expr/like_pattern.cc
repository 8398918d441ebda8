#include "nunatak/expr/like_pattern.h"

#include "nunatak/base/error.h"

namespace nunatak {

namespace {

constexpr char kEscape = '\\';

bool ContinuesCharacter(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// One past the character that starts at `at`.
size_t NextCharacter(std::string_view text, size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  size_t more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
  for (++at; more > 0 && at < text.size() && ContinuesCharacter(text[at]); --more) ++at;
  return at;
}

}  // namespace

LikePattern LikePattern::Parse(std::string_view pattern) {
  LikePattern result;
  bool in_prefix = true;
  bool only_percents = true;
  for (size_t i = 0; i < pattern.size(); ++i) {
    char c = pattern[i];
    if (c == '%' || c == '_') {
      in_prefix = false;
      only_percents = only_percents && c == '%';
      continue;
    }
    if (c == kEscape) {
      if (++i == pattern.size()) {
        ThrowUsage("the LIKE pattern ends with a backslash that has nothing to escape",
                   "write \\\\ for the backslash itself");
      }
      c = pattern[i];
    }
    if (in_prefix) {
      result.prefix += c;
    } else {
      only_percents = false;
    }
  }
  if (!in_prefix) result.form = only_percents ? Form::kPrefix : Form::kGeneral;
  return result;
}

std::string LikePattern::Escape(std::string_view text) {
  std::string pattern;
  for (char c : text) {
    if (c == '%' || c == '_' || c == kEscape) pattern += kEscape;
    pattern += c;
  }
  return pattern;
}

bool MatchesLike(std::string_view text, std::string_view pattern) {
  constexpr size_t kNone = std::string_view::npos;
  size_t t = 0;
  size_t p = 0;
  // Where to resume when what follows the last % does not fit: that % then takes a character more.
  size_t resume_pattern = kNone;
  size_t resume_text = 0;
  while (t < text.size() || p < pattern.size()) {
    if (p < pattern.size()) {
      if (pattern[p] == '%') {
        resume_pattern = ++p;
        resume_text = t;
        continue;
      }
      if (pattern[p] == '_' && t < text.size()) {
        ++p;
        t = NextCharacter(text, t);
        continue;
      }
      const size_t literal = pattern[p] == kEscape ? p + 1 : p;
      if (pattern[p] != '_' && t < text.size() && pattern[literal] == text[t]) {
        p = literal + 1;
        ++t;
        continue;
      }
    }
    if (resume_pattern == kNone || resume_text >= text.size()) return false;
    resume_text = NextCharacter(text, resume_text);
    t = resume_text;
    p = resume_pattern;
  }
  return true;
}

}  // namespace nunatak
