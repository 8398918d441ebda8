#include "nunatak/inspect/verify/verify_bounds.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace nunatak {
namespace {

TEST(CheckOrder, IsThatOfTheValues) {
  const Type integer(TypeId::kLong);
  EXPECT_EQ(CheckOrder(integer, ValueView::Integer(-1), ValueView::Integer(-1)),
            BoundVerdict::kHolds);
  EXPECT_EQ(CheckOrder(integer, ValueView::Integer(2), ValueView::Integer(1)),
            BoundVerdict::kBroken);
  const Type text(TypeId::kString);
  EXPECT_EQ(CheckOrder(text, ValueView::Bytes("a"), ValueView::Bytes("ab")), BoundVerdict::kHolds);
  EXPECT_EQ(CheckOrder(text, ValueView::Bytes("\xc3\xa9"), ValueView::Bytes("z")),
            BoundVerdict::kBroken);
}

TEST(CheckOrder, PutsNegativeZeroBeforeZero) {
  const Type real(TypeId::kDouble);
  EXPECT_EQ(CheckOrder(real, ValueView::Real(-0.0), ValueView::Real(0.0)), BoundVerdict::kHolds);
  EXPECT_EQ(CheckOrder(real, ValueView::Real(0.0), ValueView::Real(-0.0)), BoundVerdict::kBroken);
  EXPECT_EQ(CheckOrder(real, ValueView::Real(0.0), ValueView::Real(0.0)), BoundVerdict::kHolds);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(CheckOrder(real, ValueView::Real(-kInfinity), ValueView::Real(-0.0)),
            BoundVerdict::kHolds);
}

TEST(CheckOrder, KnowsTheSignedOrderOfUuids) {
  const Type uuid(TypeId::kUuid);
  const std::string low("\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01", 16);
  const std::string high("\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01", 16);
  const std::string tail("\x00\x00\x00\x00\x00\x00\x00\x00\x80\x00\x00\x00\x00\x00\x00\x01", 16);
  const auto check = [&](const std::string& least, const std::string& most) {
    return CheckOrder(uuid, ValueView::Bytes(least), ValueView::Bytes(most));
  };
  EXPECT_EQ(check(low, high), BoundVerdict::kHolds);
  EXPECT_EQ(check(high, low), BoundVerdict::kHoldsForSignedUuids);
  EXPECT_EQ(check(tail, low), BoundVerdict::kHoldsForSignedUuids);
  EXPECT_EQ(check(std::string("\x01", 1) + low.substr(1), low), BoundVerdict::kBroken);
}

}  // namespace
}  // namespace nunatak
