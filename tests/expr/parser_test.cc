#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "expr/show_expr.h"
#include "nunatak/base/error.h"
#include "nunatak/expr/expr.h"

namespace nunatak {
namespace {

struct ParseCase {
  std::string_view text;
  std::string_view tree;
};

void ExpectTrees(const std::vector<ParseCase>& cases) {
  for (const ParseCase& c : cases) {
    SCOPED_TRACE(c.text);
    try {
      EXPECT_EQ(Show(ParseFilter(c.text)), c.tree);
    } catch (const Error& error) {
      ADD_FAILURE() << error.message();
    }
  }
}

TEST(ParserTest, Comparisons) {
  ExpectTrees({
      {"a = 1", "(eq a number:1)"},
      {"a == 1", "(eq a number:1)"},
      {"a != 1", "(not-eq a number:1)"},
      {"a <> 1", "(not-eq a number:1)"},
      {"a < 1", "(lt a number:1)"},
      {"a <= 1", "(lt-eq a number:1)"},
      {"a > 1", "(gt a number:1)"},
      {"a >= 1", "(gt-eq a number:1)"},
      {"a<-1", "(lt a number:-1)"},
      {"a=-1", "(eq a number:-1)"},
      {"5 < a", "(gt a number:5)"},
      {"5 >= a", "(lt-eq a number:5)"},
      {"'x' = a", "(eq a text:x)"},
      {"TRUE = a", "(eq a true)"},
      {"a = NULL", "(eq a null)"},
      {"NULL <> a", "(not-eq a null)"},
  });
}

TEST(ParserTest, Chains) {
  ExpectTrees({
      {"a = 1 AND b = 2 AND c = 3", "(and (eq a number:1) (eq b number:2) (eq c number:3))"},
      {"a = 1 or b = 2 and c = 3", "(or (eq a number:1) (and (eq b number:2) (eq c number:3)))"},
      {"(a = 1 OR b = 2) AND c = 3", "(and (or (eq a number:1) (eq b number:2)) (eq c number:3))"},
      {"NOT a = 1 AND b = 2", "(and (not (eq a number:1)) (eq b number:2))"},
      {"NOT (a = 1 AND b = 2)", "(not (and (eq a number:1) (eq b number:2)))"},
      {"not not not (a = 1)", "(not (eq a number:1))"},
      {"NOT NOT a = 1", "(eq a number:1)"},
      {"((a = 1))", "(eq a number:1)"},
      {" \n\t a\n=\r1 ", "(eq a number:1)"},
  });
}

TEST(ParserTest, Tests) {
  ExpectTrees({
      {"a IS NULL", "(is-null a)"},
      {"a is not null", "(not-null a)"},
      {"a IS NaN", "(is-nan a)"},
      {"a IS NOT NAN", "(not-nan a)"},
      {"a IN (1, 'x', NULL)", "(in a number:1 text:x null)"},
      {"a in (1)", "(in a number:1)"},
      {"a NOT IN (1, 2)", "(not-in a number:1 number:2)"},
      {"a BETWEEN 1 AND 2 AND b = 3",
       "(and (and (gt-eq a number:1) (lt-eq a number:2)) (eq b number:3))"},
      {"a NOT BETWEEN 1 AND 2", "(not (and (gt-eq a number:1) (lt-eq a number:2)))"},
      {"a LIKE 'x%'", "(like a text:x%)"},
      {"a not like '_\\_'", "(not-like a text:_\\_)"},
  });
}

TEST(ParserTest, ConstantsAndBooleanColumns) {
  ExpectTrees({
      {"", "(true)"},
      {"  ", "(true)"},
      {"true", "(true)"},
      {"FALSE", "(false)"},
      {"TRUE AND a = 1", "(and (true) (eq a number:1))"},
      {"flag", "(eq flag true)"},
      {"NOT flag", "(not (eq flag true))"},
      {"flag AND (s.flag OR a = 1)", "(and (eq flag true) (or (eq s.flag true) (eq a number:1)))"},
      {"flag = false", "(eq flag false)"},
  });
}

TEST(ParserTest, Names) {
  ExpectTrees({
      {"a.b.c = 1", "(eq a.b.c number:1)"},
      {"\"a b\" = 1", "(eq a b number:1)"},
      {"`my.col` = 1", "(eq my.col number:1)"},
      {"\"say \"\"hi\"\"\" = 1", "(eq say \"hi\" number:1)"},
      {"`tick``s` = 1", "(eq tick`s number:1)"},
      {"\"a b\".`c d`.e = 1", "(eq a b.c d.e number:1)"},
      {"\"and\" = 1", "(eq and number:1)"},
      {"größe > 5D", "(gt größe number:5)"},
      {"`日本` IS NULL", "(is-null 日本)"},
      {"日本 IS NULL", "(is-null 日本)"},
      {"_x1$ = 1", "(eq _x1$ number:1)"},
      // Words of types are names where no quote or parenthesis follows.
      {"date < DATE '2024-01-01'", "(lt date date:2024-01-01)"},
      {"x = X'00'", "(eq x binary:00)"},
      {"time IS NULL", "(is-null time)"},
      {"nan = NaN", "(eq nan number:NaN)"},
      {"cast = 1", "(eq cast number:1)"},
  });
}

TEST(ParserTest, Numbers) {
  ExpectTrees({
      {"a = 5", "(eq a number:5)"},
      {"a = +5", "(eq a number:5)"},
      {"a = - 5", "(eq a number:-5)"},
      {"a = -1.5e3", "(eq a number:-1.5e3)"},
      {"a = 1E-7", "(eq a number:1E-7)"},
      {"a = .5", "(eq a number:.5)"},
      {"a = 5.", "(eq a number:5.)"},
      {"a = 15.0D", "(eq a number:15.0)"},
      {"a = 2L", "(eq a number:2)"},
      {"a = 1.5bd", "(eq a number:1.5)"},
      {"a = 3S OR a = 4y OR a = 1e3f", "(or (eq a number:3) (eq a number:4) (eq a number:1e3))"},
      {"a = 123456789012345678901234567890", "(eq a number:123456789012345678901234567890)"},
      {"a = CAST(0.49 AS DECIMAL(9,2))", "(eq a number:0.49)"},
      {"a = cast(-7 as bigint)", "(eq a number:-7)"},
      {"a = CAST('1.5' AS DOUBLE)", "(eq a number:1.5)"},
      {"a = CAST('2024-01-01' AS DATE)", "(eq a date:2024-01-01)"},
      {"a = CAST('x' AS STRING)", "(eq a text:x)"},
      {"a = CAST('true' AS BOOLEAN)", "(eq a true)"},
      {"a = CAST(NULL AS INT)", "(eq a null)"},
      {"a IN (CAST(0.49 AS DECIMAL(9,2)), CAST(9.99 AS DECIMAL(9,2)))",
       "(in a number:0.49 number:9.99)"},
      {"a = double('NaN')", "(eq a number:NaN)"},
      {"a = float('-infinity')", "(eq a number:-Infinity)"},
      {"a > -Infinity", "(gt a number:-Infinity)"},
  });
}

TEST(ParserTest, TypedLiterals) {
  ExpectTrees({
      {"a = 'it''s'", "(eq a text:it's)"},
      {"a = ''", "(eq a text:)"},
      {"a = '😀%\\'", "(eq a text:😀%\\)"},
      {"a = DATE '2024-01-01'", "(eq a date:2024-01-01)"},
      {"a = date'2024-01-01'", "(eq a date:2024-01-01)"},
      {"a = DATE\"2024-01-01\"", "(eq a date:2024-01-01)"},
      {"a = DATE('2024-01-01')", "(eq a date:2024-01-01)"},
      {"a = TIME '12:30'", "(eq a time:12:30)"},
      {"a = TIMESTAMP'2024-01-02 00:00:00'", "(eq a timestamp:2024-01-02 00:00:00)"},
      {"a = TIMESTAMP_NTZ'2024-01-02 00:00:00'", "(eq a timestamp:2024-01-02 00:00:00)"},
      {"a = timestamp_ltz '2024-01-02T00:00:00Z'", "(eq a timestamp:2024-01-02T00:00:00Z)"},
      {"a = TIMESTAMPTZ '2024-01-02 00:00:00+02:00'", "(eq a timestamp:2024-01-02 00:00:00+02:00)"},
      {"a = UUID '01234567-89ab-cdef-0123-456789abcdef'",
       "(eq a uuid:01234567-89ab-cdef-0123-456789abcdef)"},
      {"a > X'80'", "(gt a binary:80)"},
      {"a > x\"00fF\"", "(gt a binary:00FF)"},
      {"a = X''", "(eq a binary:)"},
      {"a IN (DATE'1970-01-02', DATE'0001-01-01')", "(in a date:1970-01-02 date:0001-01-01)"},
      {"DATE'1970-01-02' < a", "(gt a date:1970-01-02)"},
  });
}

/// Filters that people write for Spark, whose dialect the language follows.
TEST(ParserTest, FiltersFromTheField) {
  ExpectTrees({
      {"NOT (v >= TIMESTAMP_NTZ'1970-01-01 00:00:00')",
       "(not (gt-eq v timestamp:1970-01-01 00:00:00))"},
      {"v BETWEEN DATE'1968-01-01' AND DATE'1969-06-01' OR v IS NULL",
       "(or (and (gt-eq v date:1968-01-01) (lt-eq v date:1969-06-01)) (is-null v))"},
      {"ts >= TIMESTAMP'2024-01-04 00:00:00' OR cat IS NULL",
       "(or (gt-eq ts timestamp:2024-01-04 00:00:00) (is-null cat))"},
      {"v IN ('', 'a/b', '日本語テキスト')", "(in v text: text:a/b text:日本語テキスト)"},
      {"not status = 'shipped'", "(not (eq status text:shipped))"},
      {"v IS NOT NULL AND v <> 1", "(and (not-null v) (not-eq v number:1))"},
      {"v > 1600D", "(gt v number:1600)"},
  });
}

TEST(ParserTest, LongChainsAndNegationsDoNotNest) {
  std::string chain = "a = 0";
  std::string negations;
  for (int i = 1; i < 10'000; ++i) chain += " OR a = " + std::to_string(i);
  for (int i = 0; i < 10'001; ++i) negations += "NOT ";
  EXPECT_EQ(ParseFilter(chain).children.size(), 10'000u);
  EXPECT_EQ(Show(ParseFilter(negations + "flag")), "(not (eq flag true))");
}

TEST(ParserTest, NestingIsLimited) {
  const std::string open(100, '(');
  const std::string close(100, ')');
  EXPECT_EQ(Show(ParseFilter(open + "a = 1" + close)), "(eq a number:1)");
  EXPECT_THROW(ParseFilter("(" + open + "a = 1" + close + ")"), Error);
  EXPECT_THROW(ParseFilter(std::string(1'000'000, '(')), Error);
}

struct ErrorCase {
  std::string_view text;
  std::string_view message;
};

/// The message has the line of the filter and a caret under the place.
TEST(ParserTest, ErrorsPointAtTheCharacter) {
  const std::vector<ErrorCase> cases = {
      {"a = ",
       "expected a literal, found the end of the filter\n"
       "  a = \n"
       "      ^"},
      {"a = 1 b = 2",
       "expected AND, OR or the end of the filter, found 'b'\n"
       "  a = 1 b = 2\n"
       "        ^"},
      {"status = shipped",
       "expected a literal, found 'shipped'\n"
       "  status = shipped\n"
       "           ^"},
      {"(a = 1",
       "expected AND, OR or ')', found the end of the filter\n"
       "  (a = 1\n"
       "        ^"},
      {"größe = 'x",
       "the quote ' is never closed\n"
       "  größe = 'x\n"
       "          ^"},
      {"日本 e\u0301 # 1",  // wide characters, and one of no width
       "unexpected character '#' in the filter\n"
       "  日本 e\u0301 # 1\n"
       "         ^"},
      {"a # 1",
       "unexpected character '#' in the filter\n"
       "  a # 1\n"
       "    ^"},
      {"a = 10abc",
       "'abc' does not fit after the number 10\n"
       "  a = 10abc\n"
       "        ^"},
      {"a = 1.5L",
       "'L' does not fit after the number 1.5\n"
       "  a = 1.5L\n"
       "         ^"},
      {"a IS 5",
       "expected NULL, NAN or NOT, found the number 5\n"
       "  a IS 5\n"
       "       ^"},
      {"a NOT 5",
       "expected IN, BETWEEN or LIKE after NOT, found the number 5\n"
       "  a NOT 5\n"
       "        ^"},
      {"a IN 5",
       "expected '(', found the number 5\n"
       "  a IN 5\n"
       "       ^"},
      {"a IN (1 2)",
       "expected ',' or ')', found the number 2\n"
       "  a IN (1 2)\n"
       "          ^"},
      {"a IN ()",
       "expected a literal, found ')'\n"
       "  a IN ()\n"
       "        ^"},
      {"a LIKE 5",
       "expected a pattern in single quotes after LIKE, found the number 5\n"
       "  a LIKE 5\n"
       "         ^"},
      {"and = 1",
       "expected the name of a column, found 'and'\n"
       "  and = 1\n"
       "  ^"},
      {"a BETWEEN 1, 2",
       "expected AND, found ','\n"
       "  a BETWEEN 1, 2\n"
       "             ^"},
      {"a 5",
       "expected a comparison (=, !=, <, …), IN, BETWEEN, LIKE or IS after 'a', found the number "
       "5\n"
       "  a 5\n"
       "    ^"},
      {"5",
       "expected a comparison (=, !=, <, <=, >, >=) after the literal, found the end of the "
       "filter\n"
       "  5\n"
       "   ^"},
      {"a = X'0'",
       "'0' is not a literal of the type x\n"
       "  a = X'0'\n"
       "      ^"},
      {"a = CAST(1.5 AS INT)",
       "'1.5' is not a literal of the type int\n"
       "  a = CAST(1.5 AS INT)\n"
       "      ^"},
      {"a = CAST(1.555 AS DECIMAL(9,2))",
       "'1.555' is not a literal of the type decimal\n"
       "  a = CAST(1.555 AS DECIMAL(9,2))\n"
       "      ^"},
      {"first = 1 AND\n\tsecond == == 2",
       "expected a literal, found '=='\n"
       "   second == == 2\n"
       "             ^"},
      {"a = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' ! "
       "'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb'",
       "unexpected character '!' in the filter\n"
       "  ...aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' ! 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb...\n"
       "                                             ^"},
  };
  for (const ErrorCase& c : cases) {
    SCOPED_TRACE(c.text);
    try {
      ParseFilter(c.text);
      ADD_FAILURE() << "parsed";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUsage);
      EXPECT_EQ(error.message(), c.message);
    }
  }
}

TEST(ParserTest, TextMustBeUtf8) {
  EXPECT_THROW(ParseFilter("a = '\xE2\x82'"), Error);
  EXPECT_THROW(ParseFilter("a\xFF = 1"), Error);
}

}  // namespace
}  // namespace nunatak
