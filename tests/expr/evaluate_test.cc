#include "nunatak/expr/evaluate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "expr/test_schema.h"

namespace nunatak {
namespace {

constexpr Known kKnowns[] = {Known::kUnknown, Known::kNo, Known::kYes};
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

class OneColumn : public StatsSource {
 public:
  explicit OneColumn(ColumnStats stats) : stats_(stats) {}
  ColumnStats Stats(const BoundFilter::Column&) const override { return stats_; }

 private:
  ColumnStats stats_;
};

bool MayMatch(std::string_view filter, const ColumnStats& stats) {
  return Evaluate(BindFilter(filter, EveryType()), OneColumn(stats), Mode::kInclusive);
}

bool MustMatch(std::string_view filter, const ColumnStats& stats) {
  return Evaluate(BindFilter(filter, EveryType()), OneColumn(stats), Mode::kStrict);
}

ColumnStats Reals(std::optional<double> lower, std::optional<double> upper) {
  ColumnStats stats;
  if (lower) stats.lower = ValueView::Real(*lower);
  if (upper) stats.upper = ValueView::Real(*upper);
  return stats;
}

/// Statistics without nulls and NaNs.
ColumnStats Clean(ColumnStats stats) {
  stats.has_nulls = stats.all_null = stats.has_nans = stats.all_nan = Known::kNo;
  return stats;
}

ColumnStats Texts(std::string_view lower, std::string_view upper) {
  ColumnStats stats;
  stats.lower = ValueView::Bytes(lower);
  stats.upper = ValueView::Bytes(upper);
  stats.has_nulls = stats.all_null = Known::kNo;
  return stats;
}

/// ---- every answer is exact -------------------------------------------------------------------
///
/// Over doubles: the values that statistics allow are enumerated, at the bounds, between and beyond
/// them, with null and NaN. A leaf may match when one of them passes, and must match when all do.

struct RealLeaf {
  std::string text;
  std::function<bool(double)> passes;  ///< For values that are not null.
  bool null_passes = false;
};

std::vector<RealLeaf> RealLeaves() {
  std::vector<RealLeaf> leaves = {
      {"d IS NULL", [](double) { return false; }, true},
      {"d IS NOT NULL", [](double) { return true; }},
      {"d IS NAN", [](double v) { return std::isnan(v); }},
      {"d IS NOT NAN", [](double v) { return !std::isnan(v); }},
      {"d IN (1, 3)", [](double v) { return v == 1 || v == 3; }},
      {"d NOT IN (1, 3)", [](double v) { return v != 1 && v != 3; }},
      {"d IN (0, 2)", [](double v) { return v == 0 || v == 2; }},
      {"d NOT IN (0, 2)", [](double v) { return v != 0 && v != 2; }},
  };
  for (int c = 0; c <= 3; ++c) {
    const std::string text = std::to_string(c);
    leaves.push_back({"d < " + text, [c](double v) { return v < c; }});
    leaves.push_back({"d <= " + text, [c](double v) { return v <= c; }});
    leaves.push_back({"d > " + text, [c](double v) { return std::isnan(v) || v > c; }});
    leaves.push_back({"d >= " + text, [c](double v) { return std::isnan(v) || v >= c; }});
    leaves.push_back({"d = " + text, [c](double v) { return v == c; }});
    leaves.push_back({"d != " + text, [c](double v) { return v != c; }});
  }
  return leaves;
}

/// What a column with such statistics may hold.
struct Possible {
  bool null;
  std::vector<double> values;
};

Possible Allowed(const ColumnStats& stats, std::optional<double> lower,
                 std::optional<double> upper) {
  Possible possible;
  possible.null = stats.has_nulls != Known::kNo;
  if (stats.all_null == Known::kYes) return possible;
  if (stats.has_nans != Known::kNo) possible.values.push_back(kNan);
  if (stats.all_nan == Known::kYes) return possible;
  const bool bounded = !(lower && upper && *lower > *upper);
  for (double v = -1; v <= 4; v += 0.5) {
    if (bounded && lower && v < *lower) continue;
    if (bounded && upper && v > *upper) continue;
    possible.values.push_back(v);
  }
  return possible;
}

TEST(EvaluateTest, AnswersAboutNumbersAreExact) {
  std::vector<std::optional<double>> bounds = {std::nullopt, 0, 1, 2, 3};
  const Schema schema = EveryType();
  int checks = 0;
  for (const RealLeaf& leaf : RealLeaves()) {
    const BoundFilter filter = BindFilter(leaf.text, schema);
    for (const auto& lower : bounds) {
      for (const auto& upper : bounds) {
        for (int flags = 0; flags < 81; ++flags) {
          ColumnStats stats = Reals(lower, upper);
          stats.has_nulls = kKnowns[flags % 3];
          stats.all_null = kKnowns[flags / 3 % 3];
          stats.has_nans = kKnowns[flags / 9 % 3];
          stats.all_nan = kKnowns[flags / 27];
          const Possible possible = Allowed(stats, lower, upper);
          bool any = possible.null && leaf.null_passes;
          bool all = !possible.null || leaf.null_passes;
          for (double v : possible.values) {
            any = any || leaf.passes(v);
            all = all && leaf.passes(v);
          }
          const OneColumn source(stats);
          ASSERT_EQ(Evaluate(filter, source, Mode::kInclusive), any)
              << leaf.text << " lower " << lower.value_or(-9) << " upper " << upper.value_or(-9)
              << " flags " << flags;
          ASSERT_EQ(Evaluate(filter, source, Mode::kStrict), all)
              << leaf.text << " lower " << lower.value_or(-9) << " upper " << upper.value_or(-9)
              << " flags " << flags;
          ++checks;
        }
      }
    }
  }
  EXPECT_EQ(checks, 32 * 25 * 81);
}

/// All texts of up to three letters, as bounds, prefixes and values.
TEST(EvaluateTest, AnswersAboutPrefixesAreExact) {
  std::vector<std::string> texts = {""};
  for (size_t i = 0; texts[i].size() < 3; ++i) {
    for (char c : {'a', 'b', 'c'}) texts.push_back(texts[i] + c);
  }
  const Schema schema = EveryType();
  for (const std::string& prefix : texts) {
    if (prefix.empty() || prefix.size() > 2) continue;
    const BoundFilter starts = BindFilter("s LIKE '" + prefix + "%'", schema);
    const BoundFilter starts_not = BindFilter("s NOT LIKE '" + prefix + "%'", schema);
    for (const std::string& lower : texts) {
      for (const std::string& upper : texts) {
        if (lower > upper) continue;
        bool any = false;
        bool all = true;
        for (const std::string& v : texts) {
          if (v < lower || v > upper) continue;
          any = any || v.starts_with(prefix);
          all = all && v.starts_with(prefix);
        }
        const OneColumn source(Texts(lower, upper));
        SCOPED_TRACE(prefix + " in [" + lower + ", " + upper + "]");
        ASSERT_EQ(Evaluate(starts, source, Mode::kInclusive), any);
        ASSERT_EQ(Evaluate(starts, source, Mode::kStrict), all);
        ASSERT_EQ(Evaluate(starts_not, source, Mode::kInclusive), !all);
        ASSERT_EQ(Evaluate(starts_not, source, Mode::kStrict), !any);
      }
    }
  }
}

TEST(EvaluateTest, PrefixesWithOneBound) {
  ColumnStats stats = Texts("b", "");
  stats.upper = ValueView();
  EXPECT_FALSE(MayMatch("s LIKE 'a%'", stats));
  EXPECT_TRUE(MayMatch("s LIKE 'b%'", stats));
  EXPECT_TRUE(MayMatch("s NOT LIKE 'b%'", stats));
  stats = Texts("", "b");
  stats.lower = ValueView();
  EXPECT_FALSE(MayMatch("s LIKE 'c%'", stats));
  EXPECT_TRUE(MayMatch("s LIKE 'b%'", stats));
  EXPECT_TRUE(MayMatch("s NOT LIKE 'b%'", stats));
}

TEST(EvaluateTest, OnlyThePrefixOfAPatternPrunes) {
  EXPECT_TRUE(MayMatch("s LIKE 'ab%x'", Texts("aa", "ac")));
  EXPECT_FALSE(MayMatch("s LIKE 'ab%x'", Texts("ac", "ad")));
  EXPECT_FALSE(MayMatch("s LIKE 'ac_'", Texts("aa", "ab")));
  EXPECT_TRUE(MayMatch("s LIKE '%x'", Texts("a", "b")));
  EXPECT_TRUE(MayMatch("s NOT LIKE 'ab%x'", Texts("ab", "abx")));
  EXPECT_TRUE(MustMatch("s NOT LIKE 'ab%x'", Texts("ac", "ad")));
  EXPECT_FALSE(MustMatch("s NOT LIKE 'ab%x'", Texts("ab", "ad")));
  EXPECT_FALSE(MustMatch("s LIKE 'ab%x'", Texts("abx", "aby")));
  // One value: what it does decides.
  EXPECT_TRUE(MustMatch("s LIKE 'ab%x'", Texts("abcx", "abcx")));
  EXPECT_FALSE(MayMatch("s NOT LIKE 'ab%x'", Texts("abcx", "abcx")));
  EXPECT_FALSE(MayMatch("s LIKE '%x'", Texts("abc", "abc")));
  EXPECT_TRUE(MustMatch("s NOT LIKE '%x'", Texts("abc", "abc")));
}

/// ---- situations that broke other implementations ---------------------------------------------

TEST(EvaluateTest, NansHideBehindBounds) {
  ColumnStats stats = Clean(Reals(3, 3));
  for (std::string_view filter :
       {"d != 3", "d NOT IN (3, 4)", "NOT d <= 3", "d IS NAN", "d > 5", "d >= 5"}) {
    stats.has_nans = Known::kUnknown;
    EXPECT_TRUE(MayMatch(filter, stats)) << filter;
    stats.has_nans = Known::kYes;
    EXPECT_TRUE(MayMatch(filter, stats)) << filter;
    stats.has_nans = Known::kNo;
    EXPECT_FALSE(MayMatch(filter, stats)) << filter;
  }
}

TEST(EvaluateTest, NanAsABoundMakesBothUnknown) {
  for (const auto& [lower, upper] : {std::pair(kNan, kNan), {1.0, kNan}, {kNan, 1.0}}) {
    const ColumnStats stats = Clean(Reals(lower, upper));
    EXPECT_TRUE(MayMatch("d < 0", stats));
    EXPECT_TRUE(MayMatch("d > 2", stats));
    EXPECT_FALSE(MustMatch("d >= 1", stats));
    EXPECT_FALSE(MustMatch("d <= 1", stats));
  }
}

TEST(EvaluateTest, InvertedBoundsAreUnknown) {
  const ColumnStats stats = Clean(Reals(900, 100));
  EXPECT_TRUE(MayMatch("d < 50", stats));
  EXPECT_TRUE(MayMatch("d = 500", stats));
  EXPECT_TRUE(MayMatch("d > 950", stats));
  EXPECT_FALSE(MustMatch("d < 950", stats));
}

TEST(EvaluateTest, ZerosAreEqual) {
  EXPECT_TRUE(MayMatch("d = -0.0", Clean(Reals(0.0, 0.0))));
  EXPECT_TRUE(MayMatch("d = 0.0", Clean(Reals(-0.0, -0.0))));
  EXPECT_TRUE(MayMatch("d = 0.0", Clean(Reals(0.0, -0.0))));
  EXPECT_FALSE(MayMatch("d < 0.0", Clean(Reals(-0.0, 1))));
  EXPECT_FALSE(MayMatch("d != 0.0", Clean(Reals(-0.0, 0.0))));
}

TEST(EvaluateTest, StrictModeMindsNulls) {
  ColumnStats stats = Clean(Reals(1, 1));
  stats.has_nulls = Known::kYes;
  EXPECT_FALSE(MustMatch("d != 2", stats));
  EXPECT_FALSE(MustMatch("d = 1", stats));
  stats.has_nulls = Known::kUnknown;
  EXPECT_FALSE(MustMatch("d = 1", stats));
  stats.has_nulls = Known::kNo;
  EXPECT_TRUE(MustMatch("d = 1", stats));
  EXPECT_TRUE(MustMatch("d != 2", stats));
}

TEST(EvaluateTest, RequiredColumnsHaveNoNulls) {
  ColumnStats stats;
  stats.lower = ValueView::Integer(1);
  stats.upper = ValueView::Integer(5);
  EXPECT_TRUE(MustMatch("req < 9", stats));
  EXPECT_FALSE(MustMatch("l < 9", stats));
  // Statistics that say otherwise are believed.
  stats.has_nulls = Known::kYes;
  EXPECT_FALSE(MustMatch("req < 9", stats));
}

TEST(EvaluateTest, MissingCountsAreUnknown) {
  const ColumnStats nothing;
  for (std::string_view filter :
       {"d IS NULL", "d IS NOT NULL", "d IS NAN", "d IS NOT NAN", "d = 1"}) {
    EXPECT_TRUE(MayMatch(filter, nothing)) << filter;
    EXPECT_FALSE(MustMatch(filter, nothing)) << filter;
  }
}

TEST(EvaluateTest, ColumnsThatAFileLacksAreNull) {
  ColumnStats stats;
  stats.has_nulls = stats.all_null = Known::kYes;
  EXPECT_FALSE(MayMatch("d NOT IN (1, 2)", stats));
  EXPECT_FALSE(MayMatch("d < 10", stats));
  EXPECT_FALSE(MayMatch("d IS NOT NAN", stats));
  EXPECT_TRUE(MustMatch("d IS NULL", stats));
}

TEST(EvaluateTest, EmptyTextIsABound) {
  EXPECT_TRUE(MayMatch("s = ''", Texts("", "b")));
  EXPECT_FALSE(MayMatch("s > ''", Texts("", "")));
  EXPECT_FALSE(MayMatch("s < ''", Texts("", "b")));
}

TEST(EvaluateTest, BytesAreUnsigned) {
  const std::string low("\x7F\xFF", 2);
  const std::string high("\x80\x00", 2);
  EXPECT_TRUE(MayMatch("bin > X'7FFF'", Texts(low, high)));
  EXPECT_FALSE(MayMatch("bin < X'8000'", Texts(high, high)));
  EXPECT_FALSE(MayMatch("s > '\x7F'", Texts("a", "b")));
  // Cut inside a character: still a bound.
  EXPECT_TRUE(MayMatch("s = '日本'", Texts("\xE6\x97", "\xE6\x98")));
  EXPECT_FALSE(MayMatch("s = '日本'", Texts("\xE6\x98", "\xE7")));
}

TEST(EvaluateTest, BoundsOfAnotherTypeAreUnknown) {
  ColumnStats stats = Texts("x", "x");
  EXPECT_TRUE(MayMatch("i = 5", stats));
  EXPECT_FALSE(MustMatch("i != 5", stats));
  stats.lower = ValueView::Integer(7);
  EXPECT_FALSE(MayMatch("i = 5", stats));
  stats.lower = ValueView::Bytes("x");
  stats.upper = ValueView::Integer(3);
  EXPECT_FALSE(MayMatch("i = 5", stats));
}

TEST(EvaluateTest, ChainsCombine) {
  const ColumnStats stats = Clean(Reals(1, 5));
  EXPECT_FALSE(MayMatch("d < 9 AND d > 6", stats));
  EXPECT_TRUE(MayMatch("d > 6 OR d < 2", stats));
  EXPECT_FALSE(MayMatch("d > 6 OR d < 0", stats));
  EXPECT_TRUE(MustMatch("d < 9 AND d > 0", stats));
  EXPECT_FALSE(MustMatch("d < 9 AND d > 2", stats));
  EXPECT_TRUE(MustMatch("d > 6 OR d < 9", stats));
  EXPECT_FALSE(MustMatch("d > 2 OR d < 2", stats));
  EXPECT_TRUE(MustMatch("TRUE", stats));
  EXPECT_FALSE(MayMatch("FALSE", stats));
}

/// ---- rows ------------------------------------------------------------------------------------

TEST(EvaluateRowTest, NullIsUnknownAndNanAboveAll) {
  struct Case {
    std::string_view filter;
    bool null;
    bool one;
    bool nan;
  };
  for (const Case& c : std::vector<Case>{
           {"d IS NULL", true, false, false},
           {"d IS NOT NULL", false, true, true},
           {"d IS NAN", false, false, true},
           {"d IS NOT NAN", false, true, false},
           {"d < 2", false, true, false},
           {"d < 1", false, false, false},
           {"d <= 1", false, true, false},
           {"d <= 0.5", false, false, false},
           {"d > 0", false, true, true},
           {"d > 1", false, false, true},
           {"d >= 1", false, true, true},
           {"d >= 2", false, false, true},
           {"d = 1", false, true, false},
           {"d = 2", false, false, false},
           {"d != 1", false, false, true},
           {"d != 2", false, true, true},
           {"d IN (0, 1)", false, true, false},
           {"d NOT IN (0, 1)", false, false, true},
           {"d NOT IN (0, 2)", false, true, true},
           {"NOT d < 2", false, false, true},
           {"d = NaN", false, false, true},
           {"d <= NaN", false, true, true},
           {"d > 'Infinity'", false, false, true},
           {"d IS NULL OR d = 1", true, true, false},
           {"d IS NULL AND d = 1", false, false, false},
           {"TRUE", true, true, true},
       }) {
    SCOPED_TRACE(c.filter);
    const BoundFilter filter = BindFilter(c.filter, EveryType());
    const auto evaluate = [&](ValueView value) {
      const bool row = EvaluateRow(filter, std::span(&value, 1));
      // A filter of one leaf is what the leaf is.
      const bool is_leaf = filter.nodes.size() == 1 && !filter.is_true();
      EXPECT_EQ(is_leaf ? EvaluateLeaf(filter, filter.nodes[0], value) : row, row);
      return row;
    };
    EXPECT_EQ(evaluate(ValueView()), c.null);
    EXPECT_EQ(evaluate(ValueView::Real(1)), c.one);
    EXPECT_EQ(evaluate(ValueView::Real(kNan)), c.nan);
  }
}

TEST(EvaluateRowTest, Texts) {
  const Schema schema = EveryType();
  const auto evaluate = [&](std::string_view filter, std::string_view text) {
    const ValueView value = ValueView::Bytes(text);
    return EvaluateRow(BindFilter(filter, schema), std::span(&value, 1));
  };
  EXPECT_TRUE(evaluate("s LIKE 'ab%'", "abc"));
  EXPECT_FALSE(evaluate("s LIKE 'ab%'", "a"));
  EXPECT_FALSE(evaluate("s NOT LIKE 'ab%'", "abc"));
  EXPECT_TRUE(evaluate("s NOT LIKE 'ab%'", "a"));
  EXPECT_TRUE(evaluate("s LIKE '%b_'", "abc"));
  EXPECT_FALSE(evaluate("s NOT LIKE '%b_'", "abc"));
  EXPECT_TRUE(evaluate("s NOT LIKE '%b_'", "ab"));
  EXPECT_TRUE(evaluate("s IN ('a', 'abc', 'b')", "abc"));
}

}  // namespace
}  // namespace nunatak
