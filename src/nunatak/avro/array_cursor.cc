#include "nunatak/avro/array_cursor.h"

#include <fmt/format.h>

#include <bit>

#include "nunatak/avro/decoder.h"
#include "nunatak/base/error.h"

namespace nunatak::avro {
namespace {

/// The one byte that a key takes, or one that is no key's.
uint8_t ShortKey(int32_t key) {
  return key >= -64 && key < 64 ? static_cast<uint8_t>((key << 1) ^ (key >> 31)) : uint8_t{0xff};
}

/// Passes over pairs of a key of one byte, other than `key`, and a long, two at a time where eight
/// bytes hold them. Stops before any other pair, and before the last ones.
void PassShortPairs(const uint8_t*& at, const uint8_t* end, int64_t& left, uint8_t key) {
  constexpr uint64_t kHighBits = 0x8080808080808080U;
  while (left > 1 && end - at >= 8) {
    const uint64_t word = LoadLittleEndian<uint64_t>(at);
    uint64_t ends = ~word & kHighBits;  // A long ends at each of them.
    const auto first_key = static_cast<uint8_t>(word);
    ends &= ends - 1;
    if (first_key >= 0x80 || first_key == key || ends == 0) return;
    const int first_size = std::countr_zero(ends) / 8 + 1;
    ends &= ends - 1;
    const uint64_t second_end = ends & (ends - 1);
    const bool second_is_short = second_end != 0 && std::countr_zero(ends) / 8 == first_size;
    if (second_is_short && static_cast<uint8_t>(word >> 8 * first_size) != key) {
      at += std::countr_zero(second_end) / 8 + 1;
      left -= 2;
    } else {
      at += first_size;
      --left;
    }
  }
}

/// The same for pairs of a key and a size of one byte each, and so many bytes.
void PassShortSizedPairs(const uint8_t*& at, const uint8_t* end, int64_t& left, uint8_t key) {
  for (; left > 0 && end - at >= 2; --left) {
    // An odd size is negative.
    if (at[0] >= 0x80 || at[0] == key || at[1] >= 0x80 || (at[1] & 1) != 0) return;
    const int64_t size = at[1] >> 1;
    if (size > end - at - 2) return;
    at += 2 + size;
  }
}

bool SkipSized(const uint8_t*& at, const uint8_t* end) {
  int64_t size = 0;
  if (!ReadLong(at, end, size) || size < 0 || size > end - at) return false;
  at += size;
  return true;
}

}  // namespace

ArrayCursor::ArrayCursor(const DecodePlan* items) : plan_(items), shape_(ShapeOf(items)) {
  const auto slots = items ? static_cast<size_t>(items->slot_count()) : 0;
  if (slots > few_.size()) many_.resize(slots);
}

ArrayCursor::Shape ArrayCursor::ShapeOf(const DecodePlan* items) {
  if (!items) return Shape::kAny;
  const Program& item = items->programs().bodies[0];
  if (item.size() != 2 || item[0].null_branch >= 0 || item[1].null_branch >= 0) return Shape::kAny;
  if (item[0].code != OpCode::kReadInt || item[0].slot != 0 || item[1].slot != 1) {
    return Shape::kAny;
  }
  if (item[1].code == OpCode::kReadLong) return Shape::kIntAndLong;
  return item[1].code == OpCode::kReadSized ? Shape::kIntAndSized : Shape::kAny;
}

void ArrayCursor::Reset(const Slot& list) {
  left_in_block_ = 0;
  zero_size_items_ = 0;
  block_end_ = nullptr;
  const bool has_items = plan_ && list.kind() == SlotKind::kItems;
  const ByteSpan bytes = has_items ? list.bytes() : ByteSpan();
  begin_ = at_ = bytes.data();
  end_ = begin_ + bytes.size();
}

bool ArrayCursor::NextOfAnyShape() {
  if (left_in_block_ == 0 && at_ != end_) BeginBlock();
  if (left_in_block_ == 0) return false;
  if (NextPair()) return true;
  const uint8_t* end = end_of_items();
  Slot* slots = many_.empty() ? few_.data() : many_.data();
  const Decoder decoder(plan_->programs(), slots, begin_, end);
  at_ = decoder.Run(static_cast<size_t>(plan_->slot_count()), at_);
  --left_in_block_;
  return true;
}

bool ArrayCursor::NextWithKey(int32_t key) {
  do {
    if (shape_ != Shape::kAny) PassOtherPairs(key);
    if (!Next()) return false;
  } while (slot(0).integer() != key);
  return true;
}

/// Stops before the pair with the key, at the end of the block, and before a pair that is not
/// well-formed: decoding that says what is wrong.
void ArrayCursor::PassOtherPairs(int32_t key) {
  const uint8_t* end = end_of_items();
  const bool longs = shape_ == Shape::kIntAndLong;
  // Copies: what is read could be these members, for all that the compiler knows.
  const uint8_t* at = at_;
  int64_t left = left_in_block_;
  for (;; --left) {
    if (longs) {
      PassShortPairs(at, end, left, ShortKey(key));
    } else {
      PassShortSizedPairs(at, end, left, ShortKey(key));
    }
    const uint8_t* next = at;
    int64_t other = 0;
    if (left == 0 || !ReadLong(next, end, other) || other == key) break;
    if (other != static_cast<int32_t>(other)) break;
    if (longs ? !SkipLongs(next, end, 1) : !SkipSized(next, end)) break;
    at = next;
  }
  at_ = at;
  left_in_block_ = left;
}

void ArrayCursor::BeginBlock() {
  if (block_end_ && at_ != block_end_) {
    ThrowInvalid(fmt::format("byte {}: a block of items should end at byte {}", at_ - begin_,
                             block_end_ - begin_));
  }
  // Nearly all blocks: a count of one byte, which is not negative and announces no size.
  if (!plan_->zero_size() && (*at_ & 0x81) == 0) {
    left_in_block_ = *at_++ >> 1;
    block_end_ = nullptr;
    return;
  }
  const Decoder decoder(plan_->programs(), nullptr, begin_, end_);
  int64_t size = 0;
  at_ = decoder.ItemBlock(Op(), at_, left_in_block_, size);
  block_end_ = size >= 0 ? at_ + size : nullptr;
  if (!plan_->zero_size()) return;
  if (left_in_block_ > kMaxZeroSizeItems - zero_size_items_) {
    ThrowUnsupported(fmt::format("byte {}: more than {} items that take no bytes", at_ - begin_,
                                 kMaxZeroSizeItems));
  }
  zero_size_items_ += left_in_block_;
}

}  // namespace nunatak::avro
