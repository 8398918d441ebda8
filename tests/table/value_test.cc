#include "nunatak/table/value.h"

#include <gtest/gtest.h>

#include <limits>

namespace nunatak {
namespace {

using std::string_view_literals::operator""sv;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

int Sign(int order) { return (order > 0) - (order < 0); }

/// Expects `values` in ascending order, each different from the next.
void ExpectAscending(const std::vector<ValueView>& values) {
  for (size_t i = 0; i < values.size(); ++i) {
    for (size_t j = 0; j < values.size(); ++j) {
      EXPECT_EQ(Sign(CompareValues(values[i], values[j])), (i > j) - (i < j)) << i << ", " << j;
    }
  }
}

TEST(CompareValues, OrdersNumbers) {
  ExpectAscending({ValueView::Integer(std::numeric_limits<int64_t>::min()), ValueView::Integer(-1),
                   ValueView::Integer(0), ValueView::Integer(std::numeric_limits<int64_t>::max())});
  ExpectAscending({ValueView::Decimal(-PowerOfTen(38)), ValueView::Decimal(-1),
                   ValueView::Decimal(0), ValueView::Decimal(PowerOfTen(38))});
}

TEST(CompareValues, PutsNanAboveAllAndOneZero) {
  ExpectAscending({ValueView::Real(-kInfinity), ValueView::Real(-1), ValueView::Real(0),
                   ValueView::Real(5e-324), ValueView::Real(kInfinity), ValueView::Real(kNan)});
  EXPECT_EQ(CompareValues(ValueView::Real(-0.0), ValueView::Real(0.0)), 0);
  EXPECT_EQ(CompareValues(ValueView::Real(kNan), ValueView::Real(-kNan)), 0);
}

TEST(CompareValues, OrdersBytesUnsignedWithPrefixesFirst) {
  ExpectAscending({ValueView::Bytes(""sv), ValueView::Bytes("\x00"sv), ValueView::Bytes("a"sv),
                   ValueView::Bytes("ab"sv), ValueView::Bytes("b"sv), ValueView::Bytes("\x80"sv),
                   ValueView::Bytes("\xFF"sv)});
}

TEST(Value, KeepsEachForm) {
  const std::vector<Value> values = {Value::Null(),
                                     Value::Integer(1),
                                     Value::Real(1),
                                     Value::Decimal(1),
                                     Value::Bytes("1"),
                                     Value::Nested({}),
                                     Value::Nested({Value::Null()}),
                                     Value::Real(kNan),
                                     Value::Real(-0.0),
                                     Value::Real(0.0)};
  for (size_t i = 0; i < values.size(); ++i) {
    for (size_t j = 0; j < values.size(); ++j) EXPECT_EQ(values[i] == values[j], i == j) << i << j;
    if (!values[i].is_nested()) {
      EXPECT_EQ(Value::Of(values[i].view()), values[i]);
    }
  }
  EXPECT_TRUE(values[0].is_null());
  EXPECT_TRUE(values[7].view().is_nan());
  EXPECT_EQ(values[6].list().size(), 1U);
}

}  // namespace
}  // namespace nunatak
