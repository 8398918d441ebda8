#include "nunatak/plan/partition_pruning.h"

#include <gtest/gtest.h>

#include <limits>

#include "fake_source.h"

namespace nunatak {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

const PartitionSpec kSpec{1, {{{1}, 1000, "p", TransformId::kIdentity}}};

BoundFilter::Column ColumnOf(const Type& type) {
  return {.field_id = 1000, .type = type, .name = "p"};
}

ColumnStats StatsOf(const Type& type, const FieldSummary& summary) {
  return SummaryStats(kSpec, std::span(&summary, 1)).Stats(ColumnOf(type));
}

struct KindsCase {
  const char* what;
  TypeId type;
  FieldSummary summary;
  Known has_nulls, all_null, has_nans, all_nan;
};

TEST(SummaryStats, WhichKindsOfValuesAPartitionFieldHas) {
  const std::string one = EncodeSingleValue(TypeId::kDouble, ValueView::Real(1));
  const auto no = Known::kNo;
  const auto yes = Known::kYes;
  const auto unknown = Known::kUnknown;
  const auto absent = std::nullopt;
  const KindsCase cases[] = {
      {"plain", TypeId::kDouble, {false, false, one, one}, no, no, no, unknown},
      {"with nulls and NaNs", TypeId::kDouble, {true, true, one, one}, yes, unknown, yes, unknown},
      {"only nulls", TypeId::kDouble, {true, false, absent, absent}, yes, yes, no, unknown},
      {"nulls and NaNs alone",
       TypeId::kDouble,
       {true, true, absent, absent},
       yes,
       unknown,
       yes,
       yes},
      {"only NaNs", TypeId::kDouble, {false, true, absent, absent}, no, no, yes, yes},
      {"nulls, and perhaps NaNs",
       TypeId::kDouble,
       {true, absent, absent, absent},
       yes,
       unknown,
       unknown,
       unknown},
      {"perhaps NaNs", TypeId::kDouble, {false, absent, one, one}, no, no, unknown, unknown},
      {"only nulls, no float", TypeId::kString, {true, absent, absent, absent}, yes, yes, no, no},
      {"one bound says that there are values",
       TypeId::kString,
       {true, absent, "a", absent},
       yes,
       unknown,
       no,
       no},
  };
  for (const KindsCase& c : cases) {
    const ColumnStats stats = StatsOf(c.type, c.summary);
    EXPECT_EQ(stats.has_nulls, c.has_nulls) << c.what;
    EXPECT_EQ(stats.all_null, c.all_null) << c.what;
    EXPECT_EQ(stats.has_nans, c.has_nans) << c.what;
    EXPECT_EQ(stats.all_nan, c.all_nan) << c.what;
  }
}

TEST(SummaryStats, BoundsAreThoseOfTheTransformsResult) {
  const std::string lower = EncodeSingleValue(TypeId::kInt, ValueView::Integer(-7));
  const std::string upper = EncodeSingleValue(TypeId::kInt, ValueView::Integer(3));
  const ColumnStats stats = StatsOf(TypeId::kInt, {false, false, lower, upper});
  EXPECT_EQ(stats.lower.integer, -7);
  EXPECT_EQ(stats.upper.integer, 3);
}

TEST(SummaryStats, TextLongerThanSixteenBytesIsTakenWhole) {
  const std::string text = "twenty characters...";
  const FieldSummary summary{false, false, text, text};
  const ColumnStats stats = StatsOf(TypeId::kString, summary);
  EXPECT_EQ(stats.lower.text(), text);
  EXPECT_EQ(stats.upper.text(), text);
}

TEST(SummaryStats, BoundsThatAreNanOrUndecodableAreUnknown) {
  const std::string one = EncodeSingleValue(TypeId::kDouble, ValueView::Real(1));
  const std::string nan = EncodeSingleValue(TypeId::kDouble, ValueView::Real(kNan));
  EXPECT_TRUE(StatsOf(TypeId::kDouble, {false, true, one, nan}).lower.is_null());
  EXPECT_TRUE(StatsOf(TypeId::kInt, {false, false, "abc", "abc"}).lower.is_null());
}

TEST(SummaryStats, OtherFieldsAndOtherSpecsSayNothing) {
  const FieldSummary summaries[] = {{false, false, "a", "b"}, {false, false, "a", "b"}};
  const SummaryStats two(kSpec, summaries);
  EXPECT_EQ(two.Stats(ColumnOf(TypeId::kString)).has_nulls, Known::kUnknown);
  const SummaryStats one(kSpec, std::span(summaries, 1));
  EXPECT_EQ(one.Stats({.field_id = 1001, .type = TypeId::kString}).has_nulls, Known::kUnknown);
}

ColumnStats TupleStats(Value value) {
  FakeEntry entry;
  entry.file.partition = {std::move(value)};
  const FakeBatch batch({entry}, 1, {});
  return BatchPartitionStats(kSpec, batch, 0).Stats(ColumnOf(TypeId::kDouble));
}

TEST(BatchPartitionStats, AFieldIsOneValue) {
  const ColumnStats number = TupleStats(Value::Real(2.5));
  EXPECT_EQ(number.lower.real, 2.5);
  EXPECT_EQ(number.upper.real, 2.5);
  EXPECT_EQ(number.has_nulls, Known::kNo);
  EXPECT_EQ(number.has_nans, Known::kNo);
  const ColumnStats null = TupleStats(Value::Null());
  EXPECT_EQ(null.all_null, Known::kYes);
  const ColumnStats nan = TupleStats(Value::Real(kNan));
  EXPECT_EQ(nan.all_nan, Known::kYes);
  EXPECT_TRUE(nan.lower.is_null());
}

FakeEntry EntryOf(int64_t partition_value) {
  FakeEntry entry;
  entry.file.partition_spec_id = 1;
  entry.file.partition = {Value::Integer(partition_value)};
  return entry;
}

TEST(PartitionFilter, ResidualsDependOnThePartition) {
  const Schema schema(0, {{.id = 1, .name = "c", .type = TypeId::kInt},
                          {.id = 2, .name = "x", .type = TypeId::kInt}});
  const PartitionFilter filter(BindFilter("c < 5 AND x = 1", schema), kSpec, schema);
  EXPECT_EQ(filter.only_residual(), nullptr);
  const FakeBatch batch({EntryOf(3), EntryOf(9), EntryOf(3)}, 1, {});
  ASSERT_EQ(batch.tuple_count, 2u);
  EXPECT_EQ(batch.tuple_numbers[2], batch.tuple_numbers[0]);
  EXPECT_TRUE(filter.MayMatch(batch, 0));
  EXPECT_FALSE(filter.MayMatch(batch, 1));
  EXPECT_EQ(FilterToText(*filter.ResidualFor(batch, 0)), FilterToText(BindFilter("x = 1", schema)));
  EXPECT_TRUE(filter.ResidualFor(batch, 1)->is_false());
}

TEST(PartitionFilter, AnUnpartitionedSpecKeepsTheWholeFilter) {
  const Schema schema(0, {{.id = 1, .name = "c", .type = TypeId::kInt}});
  const BoundFilter bound = BindFilter("c < 5", schema);
  const PartitionFilter filter(bound, {0, {}}, schema);
  EXPECT_TRUE(filter.MayMatch(FileGroup{}));
  ASSERT_NE(filter.only_residual(), nullptr);
  EXPECT_EQ(FilterToText(*filter.only_residual()), FilterToText(bound));
}

}  // namespace
}  // namespace nunatak
