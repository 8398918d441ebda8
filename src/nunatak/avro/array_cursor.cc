#include "nunatak/avro/array_cursor.h"

#include <fmt/format.h>

#include "nunatak/avro/decoder.h"
#include "nunatak/base/error.h"

namespace nunatak::avro {

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
  for (; left_in_block_ > 0; --left_in_block_) {
    const uint8_t* at = at_;
    int64_t other = 0;
    if (!ReadLong(at, end, other) || other == key || other != static_cast<int32_t>(other)) return;
    if (shape_ == Shape::kIntAndLong) {
      if (!SkipLongs(at, end, 1)) return;
    } else {
      int64_t size = 0;
      if (!ReadLong(at, end, size) || size < 0 || size > end - at) return;
      at += size;
    }
    at_ = at;
  }
}

void ArrayCursor::BeginBlock() {
  if (block_end_ && at_ != block_end_) {
    ThrowInvalid(fmt::format("byte {}: a block of items should end at byte {}", at_ - begin_,
                             block_end_ - begin_));
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
