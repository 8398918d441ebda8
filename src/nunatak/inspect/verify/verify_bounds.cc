#include "nunatak/inspect/verify/verify_bounds.h"

#include <cmath>

namespace nunatak {

namespace {

constexpr size_t kHalf = 8;

int64_t BigEndianHalf(ByteSpan uuid, size_t at) {
  return static_cast<int64_t>(__builtin_bswap64(LoadLittleEndian<uint64_t>(uuid.data() + at)));
}

bool IsLessBySignedHalves(ByteSpan a, ByteSpan b) {
  const int64_t high_a = BigEndianHalf(a, 0);
  const int64_t high_b = BigEndianHalf(b, 0);
  if (high_a != high_b) return high_a < high_b;
  return BigEndianHalf(a, kHalf) <= BigEndianHalf(b, kHalf);
}

}  // namespace

int CompareForBounds(const ValueView& a, const ValueView& b) {
  const int order = CompareValues(a, b);
  if (order != 0 || a.kind != ValueView::Kind::kReal) return order;
  return static_cast<int>(std::signbit(b.real)) - static_cast<int>(std::signbit(a.real));
}

BoundVerdict CheckOrder(const Type& type, const ValueView& least, const ValueView& most) {
  if (CompareForBounds(least, most) <= 0) return BoundVerdict::kHolds;
  const bool uuids = type.id() == TypeId::kUuid && least.span().size() == 2 * kHalf &&
                     most.span().size() == 2 * kHalf;
  if (uuids && IsLessBySignedHalves(least.span(), most.span())) {
    return BoundVerdict::kHoldsForSignedUuids;
  }
  return BoundVerdict::kBroken;
}

}  // namespace nunatak
