#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "nunatak/avro/decode_plan.h"
#include "nunatak/avro/slot.h"
#include "nunatak/avro/varint.h"
#include "nunatak/base/export.h"

namespace nunatak::avro {

/// Walks the items of a list or map slot. It never allocates for items of up to four slots; make
/// one per slot, and `Reset` it for each record. Errors are `ErrorCode::kInvalid`, and name the
/// byte within the list and the field; callers add where the list belongs.
class NUNATAK_EXPORT ArrayCursor {
 public:
  /// `items` is `DecodePlan::items(slot)`: it must outlive the cursor, and may be null (an absent
  /// field has no items).
  explicit ArrayCursor(const DecodePlan* items);

  /// Starts over with the items of `list`, whose bytes must outlive the walk; a null slot has none.
  void Reset(const Slot& list);
  /// Decodes the next item; false after the last one.
  bool Next() { return NextPair() || NextOfAnyShape(); }
  /// Decodes the next item whose slot 0 is the integer `key`; false after the last one. Pairs of an
  /// int and a long or a sized value are passed over without being decoded.
  bool NextWithKey(int32_t key);
  /// A value of the decoded item.
  const Slot& slot(int i) const { return many_.empty() ? few_[i] : many_[i]; }

 private:
  /// Items of the shape that maps by column id have, which planning walks over by the million.
  enum class Shape : uint8_t { kAny, kIntAndLong, kIntAndSized };

  static Shape ShapeOf(const DecodePlan* items);
  const uint8_t* end_of_items() const { return block_end_ ? block_end_ : end_; }
  void BeginBlock();
  void PassOtherPairs(int32_t key);
  bool NextOfAnyShape();

  /// False, with nothing done, when the item is not a pair, or not one that is well-formed.
  bool NextPair() {
    if (shape_ == Shape::kAny || left_in_block_ == 0) return false;
    const uint8_t* end = end_of_items();
    const uint8_t* at = at_;
    int64_t key = 0;
    int64_t value = 0;
    if (!ReadLong(at, end, key) || key != static_cast<int32_t>(key)) return false;
    if (!ReadLong(at, end, value)) return false;
    if (shape_ == Shape::kIntAndLong) {
      few_[1] = Slot::Integer(value);
    } else {
      if (value < 0 || value > end - at) return false;
      few_[1] = Slot::Bytes(at, static_cast<size_t>(value));
      at += value;
    }
    few_[0] = Slot::Integer(key);
    at_ = at;
    --left_in_block_;
    return true;
  }

  const DecodePlan* plan_;
  Shape shape_;
  std::array<Slot, 4> few_;
  /// In place of `few_` for items of more slots.
  std::vector<Slot> many_;
  const uint8_t* begin_ = nullptr;
  const uint8_t* at_ = nullptr;
  const uint8_t* end_ = nullptr;
  /// Where the current block of items must end, when the data says so.
  const uint8_t* block_end_ = nullptr;
  int64_t left_in_block_ = 0;
  int64_t zero_size_items_ = 0;
};

}  // namespace nunatak::avro
