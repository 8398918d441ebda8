#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "expr/test_schema.h"
#include "nunatak/base/error.h"
#include "nunatak/expr/bound_filter.h"

namespace nunatak {
namespace {

struct BindCase {
  std::string_view filter;
  /// What binding makes of it, printed again.
  std::string_view bound;
};

void ExpectBound(const std::vector<BindCase>& cases) {
  const Schema schema = EveryType();
  for (const BindCase& c : cases) {
    SCOPED_TRACE(c.filter);
    try {
      EXPECT_EQ(FilterToText(BindFilter(c.filter, schema)), c.bound);
    } catch (const Error& error) {
      ADD_FAILURE() << error.message();
    }
  }
}

TEST(BindTest, NumbersOfEveryColumnType) {
  ExpectBound({
      {"i = 5", "i = 5"},
      {"i = 5.0", "i = 5"},
      {"i = 50e-1", "i = 5"},
      {"i = '5'", "i = 5"},
      {"l = 9223372036854775807", "l = 9223372036854775807"},
      {"l = -9223372036854775808", "l = -9223372036854775808"},
      {"d = 0.1", "d = 0.1"},
      {"d = -0.0", "d = 0"},
      {"d = 1e-400", "d = 0"},
      {"f = 1.1", "f = 1.1"},
      {"f = 1.1000000000001", "f = 1.1"},
      {"f = 16777217", "f = 16777216"},
      {"d > 'Infinity'", "d > 'Infinity'"},
      {"d > '-infinity'", "d > '-Infinity'"},
      {"dec = 14.2", "dec = 14.20"},
      {"dec = '14.20'", "dec = 14.20"},
      {"dec = -1e3", "dec = -1000.00"},
      {"dec38 = 9999999999999999999999999999.9999999999",
       "dec38 = 9999999999999999999999999999.9999999999"},
  });
}

TEST(BindTest, NumbersBetweenTheValuesOfTheType) {
  ExpectBound({
      {"i < 1.5", "i <= 1"},
      {"i <= 1.5", "i <= 1"},
      {"i > 1.5", "i > 1"},
      {"i >= 1.5", "i > 1"},
      {"i = 1.5", "FALSE"},
      {"i != 1.5", "i IS NOT NULL"},
      {"i < -1.5", "i <= -2"},
      {"i >= -1.5", "i > -2"},
      {"i < 0.001", "i <= 0"},
      {"i < -0.001", "i <= -1"},
      {"i < -2147483647.5", "i <= -2147483648"},
      {"i > 2147483647.5", "i > 2147483647"},
      {"i IN (1, 1.5, 2)", "i IN (1, 2)"},
      {"i NOT IN (1, 1.5)", "i != 1"},
      {"i NOT IN (1.5)", "i IS NOT NULL"},
      {"i BETWEEN 1.5 AND 2.5", "i > 1 AND i <= 2"},
      {"dec < 1.005", "dec <= 1.00"},
      {"dec > -1.005", "dec > -1.01"},
      {"dec = 0.999", "FALSE"},
      {"dec != 0.999", "dec IS NOT NULL"},
      {"dec < 0.1e-30", "dec <= 0.00"},
      {"dec < -1e-99999", "dec <= -0.01"},
      {"dec IN (1.005, 1.00)", "dec = 1.00"},
  });
}

TEST(BindTest, NumbersOutsideTheType) {
  ExpectBound({
      {"i < 3000000000", "i IS NOT NULL"},
      {"i <= 3000000000", "i IS NOT NULL"},
      {"i != 3000000000", "i IS NOT NULL"},
      {"i > 3000000000", "FALSE"},
      {"i >= 3000000000", "FALSE"},
      {"i = 3000000000", "FALSE"},
      {"i > -3000000000", "i IS NOT NULL"},
      {"i >= -3000000000", "i IS NOT NULL"},
      {"i < -3000000000", "FALSE"},
      {"i <= -2147483648.5", "FALSE"},
      {"i IN (1, 3000000000)", "i = 1"},
      {"i NOT IN (1, 3000000000)", "i != 1"},
      {"NOT i < 3000000000", "FALSE"},
      {"NOT i > 3000000000", "i IS NOT NULL"},
      {"req < 1e30", "TRUE"},
      {"l < 1e1000000", "l IS NOT NULL"},
      {"l > -1e1000000", "l IS NOT NULL"},
      {"l = 9223372036854775808", "FALSE"},
      {"dec < 1e36", "dec IS NOT NULL"},
      {"dec < 1e35", "dec < 100000000000000000000000000000000000.00"},
      {"i < 'NaN'", "i IS NOT NULL"},
      {"i > '-Infinity'", "i IS NOT NULL"},
      {"dec >= 'Infinity'", "FALSE"},
      // Between the greatest finite number and infinity; NaN is above both.
      {"f = 3.4028235e38", "f = 3.4028235e+38"},
      {"f = 3.4028236e38", "FALSE"},
      {"f > 1e300", "f > 3.4028235e+38"},
      {"f >= 1e300", "f > 3.4028235e+38"},
      {"f < 1e300", "f <= 3.4028235e+38"},
      {"f = 1e300", "FALSE"},
      {"f < -1e300", "f <= '-Infinity'"},
      {"f >= -1e300", "f > '-Infinity'"},
      {"d > 1e400", "d > 1.7976931348623157e+308"},
      {"d != -1e400", "d IS NOT NULL"},
  });
}

TEST(BindTest, NanIsAboveEveryNumber) {
  ExpectBound({
      {"d = 'NaN'", "d IS NAN"},
      {"d >= double('NaN')", "d IS NAN"},
      {"d != NaN", "d IS NOT NAN"},
      {"d < NaN", "d IS NOT NAN"},
      {"d <= NaN", "d IS NOT NULL"},
      {"d > NaN", "FALSE"},
      {"rd <= NaN", "TRUE"},
      {"NOT d = NaN", "d IS NOT NAN"},
      {"NOT d > NaN", "d IS NOT NULL"},
      {"d IN (1, NaN)", "d = 1 OR d IS NAN"},
      {"d IN (NaN)", "d IS NAN"},
      {"d NOT IN (1, NaN)", "d != 1 AND d IS NOT NAN"},
      {"d NOT IN (NaN)", "d IS NOT NAN"},
      {"d BETWEEN 1 AND NaN", "d >= 1 AND d IS NOT NULL"},
  });
}

TEST(BindTest, DatesAndTimes) {
  ExpectBound({
      {"day = DATE '2024-02-29'", "day = DATE '2024-02-29'"},
      {"day = '2024-02-29'", "day = DATE '2024-02-29'"},
      {"day < TIMESTAMP '2024-02-29 00:00:00'", "day < DATE '2024-02-29'"},
      {"day < TIMESTAMP '2024-02-29 00:00:01'", "day <= DATE '2024-02-29'"},
      {"day = '2024-02-29 12:00:00'", "FALSE"},
      {"day < TIMESTAMP '1969-12-31 23:59:59.999999999'", "day <= DATE '1969-12-31'"},
      {"tm < '12:30'", "tm < TIME '12:30:00'"},
      {"tm = TIME '00:00:00.000001'", "tm = TIME '00:00:00.000001'"},
      {"ts < DATE '2024-02-29'", "ts < TIMESTAMP '2024-02-29T00:00:00'"},
      {"ts < '2024-02-29'", "ts < TIMESTAMP '2024-02-29T00:00:00'"},
      {"ts = '2024-02-29T01:02:03.5'", "ts = TIMESTAMP '2024-02-29T01:02:03.500'"},
      {"ts < '2024-02-29T01:02:03.000000001'", "ts <= TIMESTAMP '2024-02-29T01:02:03'"},
      {"ts = '2024-02-29T01:02:03.000000001'", "FALSE"},
      {"ts >= '1969-12-31T23:59:59.999999999'", "ts > TIMESTAMP '1969-12-31T23:59:59.999999'"},
      {"tz = TIMESTAMP '2024-02-29 01:00:00'", "tz = TIMESTAMP '2024-02-29T01:00:00+00:00'"},
      {"tz = '2024-02-29 01:00:00+02:00'", "tz = TIMESTAMP '2024-02-28T23:00:00+00:00'"},
      {"tsn = '2024-02-29 01:00:00.123456789'", "tsn = TIMESTAMP '2024-02-29T01:00:00.123456789'"},
      {"tsn = TIMESTAMP '2024-02-29 01:00:00.000001'",
       "tsn = TIMESTAMP '2024-02-29T01:00:00.000001'"},
      {"tzn > DATE '2024-02-29'", "tzn > TIMESTAMP '2024-02-29T00:00:00+00:00'"},
      // Beyond what nanoseconds can hold.
      {"tsn < DATE '3000-01-01'", "tsn IS NOT NULL"},
      {"tsn < TIMESTAMP '0001-01-01 00:00:00'", "FALSE"},
      {"ts < DATE '+999999-01-01'", "ts IS NOT NULL"},
  });
}

TEST(BindTest, TextBytesAndBooleans) {
  ExpectBound({
      {"b", "b = TRUE"},
      {"NOT b", "b != TRUE"},
      {"b = 'false'", "b = FALSE"},
      {"s = 'it''s'", "s = 'it''s'"},
      {"s < ''", "s < ''"},
      {"u = '01234567-89AB-cdef-0123-456789abcdef'",
       "u = UUID '01234567-89ab-cdef-0123-456789abcdef'"},
      {"u = UUID '0123456789abcdef0123456789abcdef'",
       "u = UUID '01234567-89ab-cdef-0123-456789abcdef'"},
      {"bin > X'80ff'", "bin > X'80FF'"},
      {"bin > '80ff'", "bin > X'80FF'"},
      {"fix >= X'80'", "fix >= X'80'"},
  });
}

TEST(BindTest, NullComparisonsAreNeverTrue) {
  ExpectBound({
      {"i = NULL", "FALSE"},
      {"i != NULL", "FALSE"},
      {"NOT i = NULL", "FALSE"},
      {"i IN (1, NULL)", "i = 1"},
      {"i IN (NULL)", "FALSE"},
      {"i NOT IN (1, NULL)", "FALSE"},
      {"NOT i IN (1, NULL)", "FALSE"},
      {"NOT i NOT IN (1, NULL)", "i = 1"},
      {"i = NULL OR s = 'x'", "s = 'x'"},
      {"s LIKE 'x' AND i < NULL", "FALSE"},
  });
}

TEST(BindTest, PushesNotDown) {
  ExpectBound({
      {"NOT i = 1", "i != 1"},
      {"NOT i != 1", "i = 1"},
      {"NOT i < 1", "i >= 1"},
      {"NOT i <= 1", "i > 1"},
      {"NOT i > 1", "i <= 1"},
      {"NOT i >= 1", "i < 1"},
      {"NOT i IN (1, 2)", "i NOT IN (1, 2)"},
      {"NOT i IS NULL", "i IS NOT NULL"},
      {"NOT d IS NAN", "d IS NOT NAN"},
      {"NOT s LIKE 'a%'", "s NOT LIKE 'a%'"},
      {"NOT s LIKE '%a'", "s NOT LIKE '%a'"},
      {"NOT (i = 1 AND (s = 'x' OR NOT l > 2))", "i != 1 OR (s != 'x' AND l > 2)"},
      {"NOT i BETWEEN 1 AND 2", "i < 1 OR i > 2"},
      {"i NOT BETWEEN 1 AND 2", "i < 1 OR i > 2"},
      {"NOT TRUE", "FALSE"},
  });
}

TEST(BindTest, FoldsAndFlattens) {
  ExpectBound({
      {"TRUE AND i = 1", "i = 1"},
      {"FALSE AND i = 1", "FALSE"},
      {"TRUE OR i = 1", "TRUE"},
      {"FALSE OR i = 1", "i = 1"},
      {"TRUE AND TRUE", "TRUE"},
      {"(i = 1 AND l = 2) AND s = 'x'", "i = 1 AND l = 2 AND s = 'x'"},
      {"i = 1 OR (l = 2 OR s = 'x')", "i = 1 OR l = 2 OR s = 'x'"},
      {"i = 1 AND (l = 2 OR TRUE)", "i = 1"},
      {"i IN (3, 1, 2, 1)", "i IN (1, 2, 3)"},
      {"i IN (3, 3.0)", "i = 3"},
      {"s IN ('b', 'a', 'é')", "s IN ('a', 'b', 'é')"},
      {"d IN (0.0, -0.0)", "d = 0"},
      {"s LIKE 'abc'", "s = 'abc'"},
      {"s LIKE 'a\\%c'", "s = 'a%c'"},
      {"s LIKE 'abc%'", "s LIKE 'abc%'"},
      {"s LIKE 'a\\_c%%'", "s LIKE 'a\\_c%'"},
      {"s LIKE '%'", "s IS NOT NULL"},
      {"s NOT LIKE '%%'", "FALSE"},
      {"s LIKE 'a%c_'", "s LIKE 'a%c_'"},
      {"s NOT LIKE '_'", "s NOT LIKE '_'"},
  });
}

TEST(BindTest, NullTestsOfEveryType) {
  ExpectBound({
      {"st IS NULL", "st IS NULL"},
      {"li IS NOT NULL", "li IS NOT NULL"},
      {"var IS NULL", "var IS NULL"},
      {"geo IS NULL", "geo IS NULL"},
      // The unknown type has no values but null.
      {"un IS NULL", "TRUE"},
      {"un IS NOT NULL", "FALSE"},
      {"req IS NULL", "FALSE"},
      {"req IS NOT NULL", "TRUE"},
      {"NOT req IS NULL", "TRUE"},
      {"rs.a IS NULL", "FALSE"},
      // Required, in a struct that may be null.
      {"st.r IS NULL", "st.r IS NULL"},
  });
}

TEST(BindTest, Names) {
  const Schema schema = EveryType();
  ExpectBound({
      {"st.a = 1", "st.a = 1"},
      {"\"st\".\"a\" = 1", "st.a = 1"},
      {"\"st.a\" = 1", "st.a = 1"},
      {"`my.col` = 'x'", "my.col = 'x'"},
      {"\"and\" = 1", "\"and\" = 1"},
  });
  EXPECT_EQ(FilterToText(BindFilter("CAMELCASE = 1", schema, false)), "CamelCase = 1");
  EXPECT_EQ(FilterToText(BindFilter("ST.A = 1", schema, false)), "st.a = 1");
  EXPECT_THROW(BindFilter("CAMELCASE = 1", schema), Error);
  EXPECT_EQ(FilterToText(BindFilter(
                R"({"type": "is-null", "term": {"type": "reference", "id": 22}})", schema)),
            "st.a IS NULL");

  const Schema two(0, {Optional(1, "a", TypeId::kInt), Optional(2, "A", TypeId::kInt)});
  EXPECT_EQ(BindFilter("A = 1", two).columns.at(0).field_id, 2);
  EXPECT_THROW(BindFilter("A = 1", two, false), Error);
}

TEST(BindTest, JsonNumbersCountDaysAndMicroseconds) {
  ExpectBound({
      {R"({"type": "eq", "term": "day", "value": -1})", "day = DATE '1969-12-31'"},
      {R"({"type": "eq", "term": "ts", "value": -1})",
       "ts = TIMESTAMP '1969-12-31T23:59:59.999999'"},
      {R"({"type": "eq", "term": "tz", "value": 0})", "tz = TIMESTAMP '1970-01-01T00:00:00+00:00'"},
      {R"({"type": "eq", "term": "tsn", "value": 1})",
       "tsn = TIMESTAMP '1970-01-01T00:00:00.000000001'"},
      {R"({"type": "eq", "term": "tm", "value": 1000000})", "tm = TIME '00:00:01'"},
      {R"({"type": "lt", "term": "day", "value": 3000000000})", "day IS NOT NULL"},
      {R"({"type": "in", "term": "day", "values": [1, -719162]})",
       "day IN (DATE '0001-01-01', DATE '1970-01-02')"},
      {R"({"type": "lt", "term": "tsn", "value": "1970-01-01T00:00:00.000000000"})",
       "tsn < TIMESTAMP '1970-01-01T00:00:00'"},
      {R"({"type": "eq", "term": "tzn", "value": "1969-12-31T23:59:59.999999999+00:00"})",
       "tzn = TIMESTAMP '1969-12-31T23:59:59.999999999+00:00'"},
      {R"({"type": "eq", "term": "dec", "value": "14.20"})", "dec = 14.20"},
      {R"({"type": "eq", "term": "dec", "value": 14.2})", "dec = 14.20"},
      {R"({"type": "eq", "term": "fix", "value": "fFfFFFFF"})", "fix = X'FFFFFFFF'"},
      {R"({"type": "eq", "term": "d", "value": "NaN"})", "d IS NAN"},
      {R"({"type": "not-starts-with", "term": "s", "value": "a%"})", "s NOT LIKE 'a\\%%'"},
      {R"({"type": "starts-with", "term": "s", "value": ""})", "s IS NOT NULL"},
      {R"({"type": "in", "term": "i", "values": []})", "FALSE"},
      {R"({"type": "not-in", "term": "i", "values": []})", "TRUE"},
      {R"({"type": "and", "left": {"type": "not-null", "term": "i"},
           "right": {"type": "lt", "term": "i", "value": 10}})",
       "i IS NOT NULL AND i < 10"},
  });
}

struct ErrorCase {
  std::string_view filter;
  std::string_view message;
};

TEST(BindTest, ErrorsPointAtTheCharacter) {
  const Schema schema = EveryType();
  const std::vector<ErrorCase> cases = {
      {"i = 1 AND nope = 2",
       "there is no column 'nope'\n"
       "  i = 1 AND nope = 2\n"
       "            ^"},
      {"i = 'abc'",
       "column 'i' is of type int, to which the text 'abc' does not convert\n"
       "  i = 'abc'\n"
       "      ^"},
      {"day IN ('2024-01-01', '2024-02-30')",
       "column 'day' is of type date, to which the text '2024-02-30' does not convert\n"
       "  day IN ('2024-01-01', '2024-02-30')\n"
       "                        ^"},
      {"day = 5",
       "column 'day' is of type date, to which the number 5 does not convert\n"
       "  day = 5\n"
       "        ^"},
      {"ts = TIMESTAMP '2024-01-01 00:00:00Z'",
       "column 'ts' is of type timestamp, to which TIMESTAMP '2024-01-01 00:00:00Z' does not "
       "convert\n"
       "  ts = TIMESTAMP '2024-01-01 00:00:00Z'\n"
       "       ^"},
      {"s = 5",
       "column 's' is of type string, to which the number 5 does not convert\n"
       "  s = 5\n"
       "      ^"},
      {"s = X'00'",
       "column 's' is of type string, to which X'00' does not convert\n"
       "  s = X'00'\n"
       "      ^"},
      {"i",
       "column 'i' is of type int, to which TRUE does not convert\n"
       "  i\n"
       "  ^"},
      {"i IS NAN",
       "column 'i' is of type int, which is never NaN; only float and double columns can be\n"
       "  i IS NAN\n"
       "  ^"},
      {"i LIKE '5%'",
       "column 'i' is of type int, which cannot be matched with text patterns\n"
       "  i LIKE '5%'\n"
       "  ^"},
      {"s LIKE 'x\\'",
       "the LIKE pattern ends with a backslash that has nothing to escape\n"
       "  s LIKE 'x\\'\n"
       "         ^"},
      {"var = 5",
       "column 'var' is of type variant, which cannot be compared; it can be tested with IS NULL "
       "and "
       "IS NOT NULL\n"
       "  var = 5\n"
       "  ^"},
      {"un IN (5)",
       "column 'un' is of type unknown, which cannot be compared; it can be tested with IS NULL "
       "and "
       "IS NOT NULL\n"
       "  un IN (5)\n"
       "  ^"},
      {"li.element IS NULL",
       "column 'li.element' lies inside a list or map, which filters cannot test\n"
       "  li.element IS NULL\n"
       "  ^"},
  };
  for (const ErrorCase& c : cases) {
    SCOPED_TRACE(c.filter);
    try {
      BindFilter(c.filter, schema);
      ADD_FAILURE() << "bound";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUsage);
      EXPECT_EQ(error.message(), c.message);
    }
  }
}

TEST(BindTest, HintsSayWhatToWrite) {
  const Schema schema = EveryType();
  const auto hint = [&](std::string_view filter) {
    try {
      BindFilter(filter, schema);
    } catch (const Error& error) {
      return error.hint();
    }
    return std::string();
  };
  EXPECT_EQ(hint("day = 5"), "write DATE '2024-02-29'");
  EXPECT_EQ(hint("ts = '2024-01-01 00:00:00Z'"), "the column has no time zone: leave out the zone");
  EXPECT_EQ(hint("s = 5"), "text stands in single quotes");
  EXPECT_TRUE(hint("nope = 5").starts_with("the columns are b, i, l, f, d, "));
}

TEST(BindTest, ErrorsInJsonHaveNoCaret) {
  try {
    BindFilter(R"({"type": "eq", "term": "nope", "value": 1})", EveryType());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "there is no column 'nope'");
  }
}

TEST(BindTest, ProgramsAreFlat) {
  const BoundFilter filter = BindFilter("i = 1 AND (s = 'x' OR i > 3)", EveryType());
  ASSERT_EQ(filter.nodes.size(), 5u);
  EXPECT_EQ(filter.nodes[0].op, Op::kAnd);
  EXPECT_EQ(filter.nodes[0].end, 5u);
  EXPECT_EQ(filter.nodes[1].end, 2u);
  EXPECT_EQ(filter.nodes[2].op, Op::kOr);
  EXPECT_EQ(filter.nodes[2].end, 5u);
  ASSERT_EQ(filter.columns.size(), 2u);
  EXPECT_EQ(filter.columns[0].name, "i");
  EXPECT_EQ(filter.columns[1].name, "s");
  EXPECT_EQ(filter.nodes[4].column, 0u);
  EXPECT_EQ(filter.literals_of(filter.nodes[4]).front(), Value::Integer(3));
}

TEST(BindTest, TenThousandTerms) {
  std::string text = "i = 0";
  for (int i = 1; i < 10'000; ++i) text += " OR i = " + std::to_string(i);
  EXPECT_EQ(BindFilter(text, EveryType()).nodes.size(), 10'001u);
}

}  // namespace
}  // namespace nunatak
