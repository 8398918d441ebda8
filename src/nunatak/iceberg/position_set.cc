#include "nunatak/iceberg/position_set.h"

#include <fmt/format.h>
#include <roaring/roaring.h>

#include <algorithm>
#include <array>
#include <new>

#include "nunatak/base/error.h"

namespace nunatak::iceberg {

namespace {

uint32_t KeyOf(int64_t position) {
  if (position < 0) ThrowInvalid(fmt::format("position {} is negative", position));
  return static_cast<uint32_t>(position >> 32);
}

}  // namespace

PositionSet::PositionSet() = default;
PositionSet::~PositionSet() = default;
PositionSet::PositionSet(PositionSet&&) noexcept = default;
PositionSet& PositionSet::operator=(PositionSet&&) noexcept = default;

void PositionSet::Free::operator()(roaring_bitmap_s* bitmap) const { roaring_bitmap_free(bitmap); }

roaring_bitmap_s* PositionSet::BitmapOf(uint32_t key) {
  auto it = std::lower_bound(bitmaps_.begin(), bitmaps_.end(), key,
                             [](const Part& part, uint32_t wanted) { return part.key < wanted; });
  if (it == bitmaps_.end() || it->key != key) {
    std::unique_ptr<roaring_bitmap_s, Free> bitmap(roaring_bitmap_create());
    if (!bitmap) throw std::bad_alloc();
    it = bitmaps_.insert(it, Part{key, std::move(bitmap)});
  }
  return it->bitmap.get();
}

void PositionSet::Add(int64_t position) {
  roaring_bitmap_add(BitmapOf(KeyOf(position)), static_cast<uint32_t>(position));
}

void PositionSet::AddAll(std::span<const int64_t> positions) {
  std::vector<uint32_t> low;
  for (size_t i = 0; i < positions.size();) {
    const uint32_t key = KeyOf(positions[i]);
    low.clear();
    for (; i < positions.size() && positions[i] >> 32 == int64_t{key}; ++i) {
      low.push_back(static_cast<uint32_t>(positions[i]));
    }
    roaring_bitmap_add_many(BitmapOf(key), low.size(), low.data());
  }
}

void PositionSet::AddAll(const PositionSet& other) {
  for (const Part& part : other.bitmaps_) {
    roaring_bitmap_or_inplace(BitmapOf(part.key), part.bitmap.get());
  }
}

bool PositionSet::Contains(int64_t position) const {
  if (position < 0) return false;
  const auto key = static_cast<uint32_t>(position >> 32);
  const auto it =
      std::lower_bound(bitmaps_.begin(), bitmaps_.end(), key,
                       [](const Part& part, uint32_t wanted) { return part.key < wanted; });
  return it != bitmaps_.end() && it->key == key &&
         roaring_bitmap_contains(it->bitmap.get(), static_cast<uint32_t>(position));
}

int64_t PositionSet::cardinality() const {
  uint64_t count = 0;
  for (const Part& part : bitmaps_) count += roaring_bitmap_get_cardinality(part.bitmap.get());
  return static_cast<int64_t>(count);
}

int64_t PositionSet::memory_bytes() const {
  size_t bytes = sizeof(PositionSet) + bitmaps_.capacity() * sizeof(Part);
  for (const Part& part : bitmaps_) {
    bytes += sizeof(roaring_bitmap_t) + roaring_bitmap_portable_size_in_bytes(part.bitmap.get());
  }
  return static_cast<int64_t>(bytes);
}

template <typename Visit>
void PositionSet::VisitRange(int64_t begin, int64_t end, Visit visit) const {
  begin = std::max<int64_t>(begin, 0);
  for (const Part& part : bitmaps_) {
    const int64_t base = int64_t{part.key} << 32;
    const int64_t last = std::min(end - 1, base + int64_t{UINT32_MAX});
    const int64_t first = std::max(begin, base);
    if (first > last) continue;
    roaring_uint32_iterator_t it;
    roaring_init_iterator(part.bitmap.get(), &it);
    if (!roaring_move_uint32_iterator_equalorlarger(&it, static_cast<uint32_t>(first - base))) {
      continue;
    }
    std::array<uint32_t, 256> block;
    for (;;) {
      const uint32_t count = roaring_read_uint32_iterator(&it, block.data(), block.size());
      for (uint32_t i = 0; i < count && base + block[i] <= last; ++i) {
        if (!visit(base + block[i])) return;
      }
      if (count < block.size() || base + block.back() >= last) break;
    }
  }
}

std::vector<int64_t> PositionSet::InRange(int64_t begin, int64_t end) const {
  std::vector<int64_t> positions;
  if (begin >= end) return positions;
  VisitRange(begin, end, [&](int64_t p) {
    positions.push_back(p);
    return true;
  });
  return positions;
}

std::vector<int64_t> PositionSet::From(int64_t begin, size_t count) const {
  std::vector<int64_t> positions;
  if (count == 0) return positions;
  VisitRange(begin, INT64_MAX, [&](int64_t p) {
    positions.push_back(p);
    return positions.size() < count;
  });
  return positions;
}

void PositionSet::MarkRange(int64_t begin, std::span<uint8_t> mask) const {
  const auto size = static_cast<int64_t>(mask.size());
  const int64_t end = begin > INT64_MAX - size ? INT64_MAX : begin + size;
  if (size == 0) return;
  VisitRange(begin, end, [&](int64_t p) {
    mask[static_cast<size_t>(p - begin)] = 1;
    return true;
  });
}

}  // namespace nunatak::iceberg
