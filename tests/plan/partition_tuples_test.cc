#include "nunatak/plan/partition_tuples.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>
#include <vector>

namespace nunatak {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(PartitionTuples, EqualTuplesHaveOneNumber) {
  PartitionTuples tuples(2);
  const std::string a = "a";
  const std::string also_a = "a";
  const auto number = [&](ValueView first, ValueView second) {
    const ValueView tuple[] = {first, second};
    return tuples.NumberOf(tuple);
  };
  EXPECT_EQ(number(ValueView::Integer(1), ValueView::Bytes(a)), 0u);
  EXPECT_EQ(number(ValueView::Integer(1), ValueView::Bytes("b")), 1u);
  EXPECT_EQ(number(ValueView::Integer(1), ValueView::Bytes(also_a)), 0u);
  EXPECT_EQ(number(ValueView(), ValueView::Bytes(a)), 2u);
  EXPECT_EQ(number(ValueView(), ValueView::Bytes(a)), 2u);
  EXPECT_EQ(number(ValueView::Real(kNan), ValueView()), 3u);
  EXPECT_EQ(number(ValueView::Real(kNan), ValueView()), 3u);
  // Different partitions, by the specification: reals compare by their bits.
  EXPECT_EQ(number(ValueView::Real(0.0), ValueView()), 4u);
  EXPECT_EQ(number(ValueView::Real(-0.0), ValueView()), 5u);
  EXPECT_EQ(number(ValueView::Integer(0), ValueView()), 6u);
  EXPECT_EQ(number(ValueView::Decimal(Int128{1} << 64), ValueView()), 7u);
  EXPECT_EQ(number(ValueView::Decimal(Int128{1} << 65), ValueView()), 8u);
  EXPECT_EQ(tuples.size(), 9u);
  EXPECT_EQ(tuples.columns()[1][1].text(), "b");
  EXPECT_TRUE(tuples.columns()[0][2].is_null());
}

TEST(PartitionTuples, AnEmptyTupleIsOnePartition) {
  PartitionTuples tuples(0);
  EXPECT_EQ(tuples.NumberOf({}), 0u);
  EXPECT_EQ(tuples.NumberOf({}), 0u);
  EXPECT_EQ(tuples.size(), 1u);
}

TEST(PartitionTuples, ManyTuplesKeepTheirNumbers) {
  PartitionTuples tuples(1);
  std::mt19937 random(7);
  std::vector<int64_t> order;
  for (int i = 0; i < 5000; ++i) {
    const int64_t value = std::uniform_int_distribution<int>(0, 999)(random);
    const ValueView tuple[] = {ValueView::Integer(value)};
    const uint32_t number = tuples.NumberOf(tuple);
    if (number == order.size()) order.push_back(value);
    ASSERT_EQ(order.at(number), value);
  }
  EXPECT_EQ(tuples.size(), order.size());
}

}  // namespace
}  // namespace nunatak
