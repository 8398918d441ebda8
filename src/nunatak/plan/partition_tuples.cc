#include "nunatak/plan/partition_tuples.h"

#include <bit>
#include <cstring>

#include "nunatak/base/hash.h"

namespace nunatak {
namespace {

uint64_t Low(Int128 value) { return static_cast<uint64_t>(value); }
uint64_t High(Int128 value) { return static_cast<uint64_t>(value >> 64); }

uint64_t HashOf(const ValueView& value) {
  switch (value.kind) {
    case ValueView::Kind::kNull:
      return 0;
    case ValueView::Kind::kInteger:
      return static_cast<uint64_t>(value.integer);
    case ValueView::Kind::kReal:
      return std::bit_cast<uint64_t>(value.real);
    case ValueView::Kind::kDecimal:
      return MixHash(High(value.decimal), Low(value.decimal));
    case ValueView::Kind::kBytes:
      return HashBytes(value.span());
  }
  return 0;
}

bool AreSame(const ValueView& a, const ValueView& b) {
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case ValueView::Kind::kNull:
      return true;
    case ValueView::Kind::kInteger:
      return a.integer == b.integer;
    case ValueView::Kind::kReal:
      return std::bit_cast<uint64_t>(a.real) == std::bit_cast<uint64_t>(b.real);
    case ValueView::Kind::kDecimal:
      return a.decimal == b.decimal;
    case ValueView::Kind::kBytes:
      return a.text() == b.text();
  }
  return false;
}

}  // namespace

bool PartitionTuples::IsTuple(uint32_t number, std::span<const ValueView> tuple) const {
  for (size_t f = 0; f < tuple.size(); ++f) {
    if (!AreSame(columns_[f][number], tuple[f])) return false;
  }
  return true;
}

uint32_t PartitionTuples::NumberOf(std::span<const ValueView> tuple) {
  if (2 * (size_ + 1) > table_.size()) Grow();
  uint64_t hash = 0;
  for (const ValueView& value : tuple) {
    hash = MixHash(hash, HashOf(value) + static_cast<uint64_t>(value.kind));
  }
  const size_t mask = table_.size() - 1;
  size_t at = hash & mask;
  for (; table_[at] != 0; at = (at + 1) & mask) {
    const uint32_t number = table_[at] - 1;
    if (hashes_[number] == hash && IsTuple(number, tuple)) return number;
  }
  for (size_t f = 0; f < tuple.size(); ++f) columns_[f].push_back(tuple[f]);
  hashes_.push_back(hash);
  table_[at] = static_cast<uint32_t>(++size_);
  return static_cast<uint32_t>(size_ - 1);
}

void PartitionTuples::Grow() {
  table_.assign(table_.empty() ? 16 : table_.size() * 2, 0);
  const size_t mask = table_.size() - 1;
  for (size_t number = 0; number < size_; ++number) {
    size_t at = hashes_[number] & mask;
    while (table_[at] != 0) at = (at + 1) & mask;
    table_[at] = static_cast<uint32_t>(number + 1);
  }
}

}  // namespace nunatak
