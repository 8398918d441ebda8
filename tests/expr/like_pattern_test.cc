#include "nunatak/expr/like_pattern.h"

#include <gtest/gtest.h>

#include <vector>

#include "nunatak/base/error.h"

namespace nunatak {
namespace {

using Form = LikePattern::Form;

TEST(LikePatternTest, Forms) {
  struct Case {
    std::string_view pattern;
    Form form;
    std::string_view prefix;
  };
  for (const Case& c : std::vector<Case>{
           {"abc", Form::kExact, "abc"},
           {"", Form::kExact, ""},
           {"a\\%b", Form::kExact, "a%b"},
           {"a\\\\", Form::kExact, "a\\"},
           {"a\\bc", Form::kExact, "abc"},
           {"abc%", Form::kPrefix, "abc"},
           {"abc%%", Form::kPrefix, "abc"},
           {"%", Form::kPrefix, ""},
           {"a\\_b%", Form::kPrefix, "a_b"},
           {"abc_", Form::kGeneral, "abc"},
           {"abc%_", Form::kGeneral, "abc"},
           {"ab%c", Form::kGeneral, "ab"},
           {"%abc", Form::kGeneral, ""},
           {"ab%\\%", Form::kGeneral, "ab"},
           {"_", Form::kGeneral, ""},
       }) {
    SCOPED_TRACE(c.pattern);
    const LikePattern pattern = LikePattern::Parse(c.pattern);
    EXPECT_EQ(pattern.form, c.form);
    EXPECT_EQ(pattern.prefix, c.prefix);
  }
  EXPECT_THROW(LikePattern::Parse("abc\\"), Error);
}

TEST(LikePatternTest, Matches) {
  struct Case {
    std::string_view text;
    std::string_view pattern;
    bool matches;
  };
  for (const Case& c : std::vector<Case>{
           {"", "", true},
           {"", "%", true},
           {"", "_", false},
           {"abc", "abc", true},
           {"abc", "ab", false},
           {"ab", "abc", false},
           {"abc", "a%", true},
           {"abc", "%c", true},
           {"abc", "%b%", true},
           {"abc", "a_c", true},
           {"abc", "_", false},
           {"abc", "___", true},
           {"abc", "____", false},
           {"abc", "%%%", true},
           {"abc", "a%d", false},
           {"aXbXc", "a%X_", true},
           {"abab", "%ab", true},
           {"abab", "ab%ab%ab", false},
           {"a%b", "a\\%b", true},
           {"aXb", "a\\%b", false},
           {"a_b", "a\\_b", true},
           {"aXb", "a\\_b", false},
           {"a\\b", "a\\\\b", true},
           {"a\\", "%\\\\", true},
           {"😀", "_", true},
           {"é😀x", "__x", true},
           {"日本語", "日%語", true},
           {"日本語", "日_", false},
           {"\xFF\xFE", "__", true},
           {"\xE6\x97", "_", true},
           {"ABC", "abc", false},
           {"a\nb", "a%b", true},
           {"a\nb", "a_b", true},
           {"aaaaaaaaab", "%a%a%a%b", true},
       }) {
    SCOPED_TRACE(std::string(c.text) + " LIKE " + std::string(c.pattern));
    EXPECT_EQ(MatchesLike(c.text, c.pattern), c.matches);
  }
}

/// Many wildcards over a long text that almost matches: no exponential search.
TEST(LikePatternTest, ManyWildcardsStayFast) {
  const std::string text(5000, 'a');
  std::string pattern;
  for (int i = 0; i < 100; ++i) pattern += "a%";
  EXPECT_FALSE(MatchesLike(text, pattern + "b"));
  EXPECT_TRUE(MatchesLike(text, pattern));
}

TEST(LikePatternTest, EscapedTextMatchesItselfAlone) {
  const std::string text = "50%_\\x";
  const LikePattern pattern = LikePattern::Parse(LikePattern::Escape(text));
  EXPECT_EQ(pattern.form, Form::kExact);
  EXPECT_EQ(pattern.prefix, text);
  EXPECT_TRUE(MatchesLike(text, LikePattern::Escape(text)));
}

}  // namespace
}  // namespace nunatak
