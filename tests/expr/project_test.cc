#include "nunatak/expr/project.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "expr/test_schema.h"

namespace nunatak {
namespace {

PartitionSpec SpecOf(std::vector<std::pair<std::string_view, std::string_view>> fields) {
  const Schema schema = EveryType();
  PartitionSpec spec;
  int32_t id = 1000;
  for (const auto& [column, transform] : fields) {
    PartitionField field;
    field.source_ids = {schema.FindField(column)->id};
    field.field_id = id;
    field.name = "p" + (id == 1000 ? std::string() : std::to_string(id - 999));
    field.transform = Transform::Parse(transform);
    spec.fields.push_back(field);
    ++id;
  }
  return spec;
}

std::string Inclusive(std::string_view filter, const PartitionSpec& spec) {
  const Schema schema = EveryType();
  return FilterToText(
      ProjectToPartition(BindFilter(filter, schema), spec, schema, Mode::kInclusive));
}

std::string Strict(std::string_view filter, const PartitionSpec& spec) {
  const Schema schema = EveryType();
  return FilterToText(ProjectToPartition(BindFilter(filter, schema), spec, schema, Mode::kStrict));
}

struct ProjectCase {
  std::string_view filter;
  std::string_view inclusive;
  std::string_view strict;
};

void ExpectProjections(std::string_view column, std::string_view transform,
                       const std::vector<ProjectCase>& cases) {
  const PartitionSpec spec = SpecOf({{column, transform}});
  for (const ProjectCase& c : cases) {
    SCOPED_TRACE(std::string(transform) + ": " + std::string(c.filter));
    EXPECT_EQ(Inclusive(c.filter, spec), c.inclusive);
    EXPECT_EQ(Strict(c.filter, spec), c.strict);
  }
}

TEST(ProjectTest, Identity) {
  ExpectProjections("d", "identity",
                    {{"d < 5", "p < 5", "p < 5"},
                     {"d >= 5", "p >= 5", "p >= 5"},
                     {"d IN (1, 2)", "p IN (1, 2)", "p IN (1, 2)"},
                     {"d != 1", "p != 1", "p != 1"},
                     {"d IS NAN", "p IS NAN", "p IS NAN"},
                     {"d IS NOT NAN", "p IS NOT NAN", "p IS NOT NAN"},
                     {"d IS NULL", "p IS NULL", "p IS NULL"},
                     {"d IS NOT NULL", "p IS NOT NULL", "p IS NOT NULL"},
                     {"i = 5", "TRUE", "FALSE"}});
  ExpectProjections("s", "identity",
                    {{"s LIKE 'a%'", "p LIKE 'a%'", "p LIKE 'a%'"},
                     {"s NOT LIKE 'a%'", "p NOT LIKE 'a%'", "p NOT LIKE 'a%'"},
                     {"s LIKE 'a%b'", "p LIKE 'a%b'", "p LIKE 'a%b'"}});
}

/// 34 hashes to 2017239379 (specification, Appendix B): bucket 3 of 16, and 1 to bucket 4.
TEST(ProjectTest, Bucket) {
  ExpectProjections("i", "bucket[16]",
                    {{"i = 34", "p = 3", "FALSE"},
                     {"i != 34", "p IS NOT NULL", "p != 3"},
                     {"i IN (34, 1)", "p IN (3, 4)", "FALSE"},
                     {"i NOT IN (34, 1)", "p IS NOT NULL", "p NOT IN (3, 4)"},
                     {"i < 34", "p IS NOT NULL", "FALSE"},
                     {"i >= 34", "p IS NOT NULL", "FALSE"},
                     {"i IS NULL", "p IS NULL", "p IS NULL"},
                     {"i IS NOT NULL", "p IS NOT NULL", "p IS NOT NULL"}});
}

TEST(ProjectTest, TruncatedDecimals) {
  ExpectProjections("dec", "truncate[50]",
                    {{"dec < 10.50", "p <= 10.00", "p < 10.50"},
                     {"dec < 10.65", "p <= 10.50", "p < 10.50"},
                     {"dec <= 10.99", "p <= 10.50", "p < 11.00"},
                     {"dec > 10.99", "p >= 11.00", "p > 10.50"},
                     {"dec >= 10.51", "p >= 10.50", "p > 10.50"},
                     {"dec >= 10.50", "p >= 10.50", "p > 10.00"},
                     {"dec = 10.65", "p = 10.50", "FALSE"},
                     {"dec = -0.01", "p = -0.50", "FALSE"},
                     {"dec != 10.65", "p IS NOT NULL", "p != 10.50"},
                     {"dec IN (10.65, 10.70, 1)", "p IN (1.00, 10.50)", "FALSE"},
                     {"dec NOT IN (10.65, 1)", "p IS NOT NULL", "p NOT IN (1.00, 10.50)"}});
}

/// −2147483648 truncates to −2147483650, which is stored as 2147483646.
TEST(ProjectTest, TruncatedIntegersWrap) {
  ExpectProjections("i", "truncate[10]",
                    {{"i < 0", "p <= -10 OR p = 2147483646", "p < 0"},
                     {"i < 5", "p <= 0 OR p = 2147483646", "p < 0"},
                     {"i <= 9", "p <= 0 OR p = 2147483646", "p < 10"},
                     {"i > 9", "p >= 10", "p > 0 AND p != 2147483646"},
                     {"i >= -5", "p >= -10", "p > -10 AND p != 2147483646"},
                     {"i = 7", "p = 0", "FALSE"},
                     {"i = -2147483648", "p = 2147483646", "FALSE"},
                     {"i != -2147483648", "p IS NOT NULL", "p != 2147483646"},
                     {"i < -2147483647", "p IS NOT NULL", "FALSE"},
                     {"i < -2147483648", "FALSE", "FALSE"},
                     {"i >= -2147483648", "p IS NOT NULL", "p IS NOT NULL"},
                     {"i > 2147483647", "FALSE", "p > 2147483640 AND p != 2147483646"},
                     {"i <= 2147483647", "p <= 2147483640 OR p = 2147483646", "p IS NOT NULL"}});
  // A power of two divides the range: nothing wraps.
  ExpectProjections("i", "truncate[16]",
                    {{"i < 0", "p <= -16", "p < 0"}, {"i > 20", "p >= 16", "p > 16"}});
  // A long may have been an int when the partition was written.
  ExpectProjections(
      "l", "truncate[10]",
      {{"l < 0", "p <= -10 OR p = 9223372036854775806 OR p = 2147483646", "p < 0"},
       {"l < -3000000000", "p <= -3000000010 OR p = 9223372036854775806", "p < -3000000000"},
       {"l <= -2147483648", "p <= -2147483650 OR p = 9223372036854775806 OR p = 2147483646",
        "p < -2147483650"},
       {"l = -2147483648", "p IN (-2147483650, 2147483646)", "FALSE"},
       {"l = -9223372036854775808", "p = 9223372036854775806", "FALSE"}});
}

TEST(ProjectTest, TruncatedText) {
  ExpectProjections("s", "truncate[3]",
                    {{"s < 'abcd'", "p < 'abcd'", "p < 'abc'"},
                     {"s <= 'ab'", "p <= 'ab'", "p < 'ab'"},
                     {"s > 'abcd'", "p >= 'abc'", "p > 'abcd'"},
                     {"s >= 'ab'", "p >= 'ab'", "p >= 'ab'"},
                     {"s = 'abcd'", "p = 'abc'", "FALSE"},
                     {"s = 'ab'", "p = 'ab'", "FALSE"},
                     {"s != 'abcd'", "p IS NOT NULL", "p != 'abc'"},
                     {"s IN ('abcd', 'abce', 'x')", "p IN ('abc', 'x')", "FALSE"},
                     {"s NOT IN ('abcd', 'x')", "p IS NOT NULL", "p NOT IN ('abc', 'x')"},
                     {"s LIKE 'ab%'", "p LIKE 'ab%'", "p LIKE 'ab%'"},
                     {"s LIKE 'abc%'", "p LIKE 'abc%'", "p LIKE 'abc%'"},
                     {"s LIKE 'abcd%'", "p = 'abc'", "FALSE"},
                     {"s NOT LIKE 'abc%'", "p NOT LIKE 'abc%'", "p NOT LIKE 'abc%'"},
                     {"s NOT LIKE 'abcd%'", "p IS NOT NULL", "p != 'abc'"},
                     {"s LIKE 'ab_d'", "p LIKE 'ab%'", "FALSE"},
                     {"s LIKE 'abcd_'", "p = 'abc'", "FALSE"},
                     {"s LIKE '_x'", "p IS NOT NULL", "FALSE"},
                     {"s NOT LIKE 'ab_d'", "p IS NOT NULL", "p NOT LIKE 'ab%'"},
                     {"s NOT LIKE '_x'", "p IS NOT NULL", "FALSE"},
                     {"s = '😀😁😂😃'", "p = '😀😁😂'", "FALSE"}});
  ExpectProjections("bin", "truncate[2]",
                    {{"bin = X'010203'", "p = X'0102'", "FALSE"},
                     {"bin > X'010203'", "p >= X'0102'", "p > X'010203'"}});
}

TEST(ProjectTest, Dates) {
  ExpectProjections(
      "day", "day",
      {{"day = DATE '1969-12-31'", "p = DATE '1969-12-31'", "FALSE"},
       {"day < DATE '1969-12-31'", "p <= DATE '1969-12-30'", "p < DATE '1969-12-31'"},
       {"day >= DATE '2024-03-01'", "p >= DATE '2024-03-01'", "p > DATE '2024-02-29'"}});
  ExpectProjections("day", "month",
                    {{"day = DATE '2024-03-15'", "p = 650", "FALSE"},
                     {"day < DATE '2024-03-01'", "p <= 649", "p < 650"},
                     {"day <= DATE '2024-03-31'", "p <= 650", "p < 651"},
                     {"day > DATE '2024-03-31'", "p >= 651", "p > 650"}});
  ExpectProjections("day", "year",
                    {{"day = DATE '2024-03-15'", "p = 54", "FALSE"},
                     {"day != DATE '2024-03-15'", "p IS NOT NULL", "p != 54"},
                     // Before 1970, what is stored may be one too high.
                     {"day = DATE '1969-03-15'", "p IN (-1, 0)", "FALSE"},
                     {"day != DATE '1969-03-15'", "p IS NOT NULL", "p NOT IN (-1, 0)"},
                     {"day <= DATE '1968-03-15'", "p <= -1", "p < -2"},
                     {"day >= DATE '1968-03-15'", "p >= -2", "p > -1"}});
}

TEST(ProjectTest, Timestamps) {
  ExpectProjections(
      "ts", "day",
      {{"ts = TIMESTAMP '2024-02-29 12:00:00'", "p = DATE '2024-02-29'", "FALSE"},
       {"ts < TIMESTAMP '2024-03-01 00:00:00'", "p <= DATE '2024-02-29'", "p < DATE '2024-03-01'"},
       {"ts >= TIMESTAMP '2024-03-01 00:00:00'", "p >= DATE '2024-03-01'", "p > DATE '2024-02-29'"},
       {"ts > TIMESTAMP '2024-03-01 00:00:00'", "p >= DATE '2024-03-01'", "p > DATE '2024-03-01'"},
       {"ts < TIMESTAMP '1970-01-01 00:00:00'", "p <= DATE '1970-01-01'", "p < DATE '1970-01-01'"},
       {"ts >= TIMESTAMP '1970-01-01 00:00:00'", "p >= DATE '1970-01-01'", "p > DATE '1970-01-01'"},
       {"ts = TIMESTAMP '1969-12-31 23:59:59'", "p IN (DATE '1969-12-31', DATE '1970-01-01')",
        "FALSE"}});
  ExpectProjections("tz", "hour",
                    {{"tz = TIMESTAMP '1969-12-31 22:00:00Z'", "p IN (-2, -1)", "FALSE"},
                     {"tz >= TIMESTAMP '1970-01-01 01:00:00Z'", "p >= 1 OR p <= -1732919508",
                      "p > 0 AND p < 1732919507"},
                     {"tz < TIMESTAMP '1970-01-01 01:00:00Z'", "p <= 0 OR p >= 1732919507",
                      "p < 1 AND p > -1732919508"}});
  // An instant so far off that its hour does not fit into an int says nothing.
  ExpectProjections("ts", "hour",
                    {{"ts < TIMESTAMP '+290000-01-01 00:00:00'", "p IS NOT NULL", "FALSE"},
                     {"ts > TIMESTAMP '-290000-01-01 00:00:00'", "p IS NOT NULL", "FALSE"}});
  ExpectProjections("tsn", "hour",
                    {{"tsn = TIMESTAMP '2017-11-16 22:31:08.000001001'", "p = 419686", "FALSE"},
                     {"tsn >= TIMESTAMP '2017-11-16 22:00:00'", "p >= 419686", "p > 419685"}});
  ExpectProjections("tzn", "month",
                    {{"tzn < TIMESTAMP '2024-03-01 00:00:00Z'", "p <= 649", "p < 650"}});
}

TEST(ProjectTest, VoidUnknownAndSeveralSourcesTellNothing) {
  ExpectProjections("i", "void", {{"i = 5", "TRUE", "FALSE"}, {"i IS NULL", "TRUE", "FALSE"}});
  ExpectProjections("i", "zorder[7]", {{"i = 5", "TRUE", "FALSE"}});
  PartitionSpec spec = SpecOf({{"i", "identity"}});
  spec.fields[0].source_ids.push_back(3);
  EXPECT_EQ(Inclusive("i = 5", spec), "TRUE");
  EXPECT_EQ(Strict("i = 5", spec), "FALSE");
}

TEST(ProjectTest, SeveralFieldsOfOneColumn) {
  const PartitionSpec spec = SpecOf({{"ts", "year"}, {"ts", "day"}, {"i", "bucket[16]"}});
  EXPECT_EQ(Inclusive("ts >= TIMESTAMP '2024-03-01 00:00:00' AND i = 34", spec),
            "p >= 54 AND p2 >= DATE '2024-03-01' AND p3 = 3");
  EXPECT_EQ(Strict("ts >= TIMESTAMP '2024-03-01 00:00:00' OR i = 34", spec),
            "p > 54 OR p2 > DATE '2024-02-29'");
  EXPECT_EQ(Inclusive("ts >= TIMESTAMP '2024-03-01 00:00:00' OR l = 1", spec), "TRUE");
  EXPECT_EQ(Inclusive("TRUE", spec), "TRUE");
  EXPECT_EQ(Inclusive("FALSE", spec), "FALSE");
  EXPECT_EQ(Strict("TRUE", spec), "TRUE");
}

TEST(ProjectTest, ColumnsAreThoseOfThePartition) {
  const Schema schema = EveryType();
  const BoundFilter filter =
      ProjectToPartition(BindFilter("ts > DATE '2024-01-01' AND s = 'abcd'", schema),
                         SpecOf({{"ts", "day"}, {"s", "truncate[2]"}}), schema, Mode::kInclusive);
  ASSERT_EQ(filter.columns.size(), 2u);
  EXPECT_EQ(filter.columns[0].field_id, 1000);
  EXPECT_EQ(filter.columns[0].type, Type(TypeId::kDate));
  EXPECT_EQ(filter.columns[1].field_id, 1001);
  EXPECT_EQ(filter.columns[1].type, Type(TypeId::kString));
}

/// The filter was bound when the column was an int; the spec is read with a schema where it is not.
TEST(ProjectTest, AnotherTypeOfTheColumnTellsNothing) {
  const Schema old(0, {Optional(8, "day", TypeId::kInt)});
  const PartitionSpec spec = SpecOf({{"day", "identity"}});
  const BoundFilter filter = BindFilter("day = 5", old);
  EXPECT_TRUE(ProjectToPartition(filter, spec, EveryType(), Mode::kInclusive).is_true());
  EXPECT_EQ(FilterToText(ProjectToPartition(filter, spec, old, Mode::kInclusive)), "p = 5");
  EXPECT_TRUE(ProjectToPartition(filter, spec, Schema(), Mode::kStrict).is_false());
}

/// ---- residuals -------------------------------------------------------------------------------

std::string Residual(std::string_view filter, const PartitionSpec& spec,
                     std::vector<Value> partition) {
  const Schema schema = EveryType();
  return FilterToText(
      ResidualEvaluator(BindFilter(filter, schema), spec, schema).ResidualFor(partition));
}

TEST(ResidualTest, LeavesThatThePartitionDecidesGo) {
  const PartitionSpec spec = SpecOf({{"s", "identity"}, {"ts", "day"}});
  const Value day = Value::Integer(19783);  // 2024-03-01
  const auto residual = [&](std::string_view filter) {
    return Residual(filter, spec, {Value::Bytes("a"), day});
  };
  EXPECT_EQ(residual("s = 'a'"), "TRUE");
  EXPECT_EQ(residual("s = 'b'"), "FALSE");
  EXPECT_EQ(residual("s = 'a' AND i = 5"), "i = 5");
  EXPECT_EQ(residual("s = 'b' OR i = 5"), "i = 5");
  EXPECT_EQ(residual("s NOT LIKE 'a%' OR i = 5"), "i = 5");
  EXPECT_EQ(residual("s LIKE 'a%' AND i = 5"), "i = 5");
  EXPECT_EQ(residual("ts >= DATE '2024-03-01'"), "TRUE");
  EXPECT_EQ(residual("ts < DATE '2024-03-01'"), "FALSE");
  EXPECT_EQ(residual("ts > DATE '2024-03-01'"), "ts > TIMESTAMP '2024-03-01T00:00:00'");
  EXPECT_EQ(residual("(s = 'a' AND i = 1) OR (s = 'b' AND i = 2)"), "i = 1");
  EXPECT_EQ(residual("i = 5 AND l = 6"), "i = 5 AND l = 6");
}

TEST(ResidualTest, NullAndNanPartitions) {
  const PartitionSpec spec = SpecOf({{"d", "identity"}});
  const auto residual = [&](std::string_view filter, Value value) {
    return Residual(filter, spec, {std::move(value)});
  };
  EXPECT_EQ(residual("d IS NULL", Value::Null()), "TRUE");
  EXPECT_EQ(residual("d = 1 OR i = 1", Value::Null()), "i = 1");
  EXPECT_EQ(residual("d != 1 OR i = 1", Value::Null()), "i = 1");
  EXPECT_EQ(residual("d IS NULL", Value::Real(1)), "FALSE");
  EXPECT_EQ(residual("d > 5", Value::Real(std::nan(""))), "TRUE");
  EXPECT_EQ(residual("d < 5", Value::Real(std::nan(""))), "FALSE");
  EXPECT_EQ(residual("d IS NOT NAN", Value::Real(std::nan(""))), "FALSE");
  EXPECT_EQ(residual("d = 0.0", Value::Real(-0.0)), "TRUE");
  EXPECT_EQ(residual("d < 0.0", Value::Real(-0.0)), "FALSE");
}

TEST(ResidualTest, APartitionTupleOfAnotherLength) {
  // What a tuple lacks decides nothing; what it has beyond the spec has no say.
  EXPECT_EQ(Residual("s = 'a'", SpecOf({{"s", "identity"}}), {Value::Bytes("a"), Value::Null()}),
            "TRUE");
  EXPECT_EQ(Residual("s = 'a'", SpecOf({{"s", "identity"}}), {}), "s = 'a'");
}

TEST(ResidualTest, PartitionsWithoutPartOfTheFilterKeepIt) {
  EXPECT_EQ(Residual("i = 5", SpecOf({{"s", "identity"}}), {Value::Bytes("a")}), "i = 5");
  EXPECT_EQ(Residual("i = 5", PartitionSpec(), {}), "i = 5");
  EXPECT_EQ(Residual("i = 5", SpecOf({{"i", "void"}}), {Value::Null()}), "i = 5");
}

TEST(PartitionStatsTest, OneValueEach) {
  const PartitionSpec spec = SpecOf({{"d", "identity"}, {"i", "identity"}});
  const std::vector<Value> tuple = {Value::Null(), Value::Integer(7)};
  const PartitionStats stats(spec, tuple);
  BoundFilter::Column column;
  column.field_id = 1000;
  EXPECT_EQ(stats.Stats(column).all_null, Known::kYes);
  EXPECT_EQ(stats.Stats(column).has_nulls, Known::kYes);
  EXPECT_TRUE(stats.Stats(column).lower.is_null());
  column.field_id = 1001;
  EXPECT_EQ(stats.Stats(column).has_nulls, Known::kNo);
  EXPECT_EQ(stats.Stats(column).has_nans, Known::kNo);
  EXPECT_EQ(stats.Stats(column).upper.integer, 7);
  column.field_id = 1002;
  EXPECT_EQ(stats.Stats(column).has_nulls, Known::kUnknown);
  // A third value belongs to no field.
  const std::vector<Value> longer = {Value::Null(), Value::Integer(7), Value::Integer(8)};
  EXPECT_EQ(PartitionStats(spec, longer).Stats(column).has_nulls, Known::kUnknown);
}

}  // namespace
}  // namespace nunatak
