#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "nunatak/avro/decode_plan.h"
#include "nunatak/avro/slot.h"
#include "nunatak/base/export.h"

namespace nunatak::avro {

/// Walks the items of a list or map slot. It allocates when it is made and never per item or list:
/// make one per slot, and `Reset` it for each record. Errors are `ErrorCode::kInvalid`, and name
/// the byte within the list and the field; callers add where the list belongs.
class NUNATAK_EXPORT ArrayCursor {
 public:
  /// `items` is `DecodePlan::items(slot)`: it must outlive the cursor, and may be null (an absent
  /// field has no items).
  explicit ArrayCursor(const DecodePlan* items);

  /// Starts over with the items of `list`, whose bytes must outlive the walk; a null slot has none.
  void Reset(const Slot& list);
  /// Decodes the next item; false after the last one.
  bool Next();
  /// A value of the decoded item.
  const Slot& slot(int i) const { return slots_[i]; }

 private:
  void BeginBlock();

  const DecodePlan* plan_;
  std::vector<Slot> slots_;
  const uint8_t* begin_ = nullptr;
  const uint8_t* at_ = nullptr;
  const uint8_t* end_ = nullptr;
  /// Where the current block of items must end, when the data says so.
  const uint8_t* block_end_ = nullptr;
  int64_t left_in_block_ = 0;
  int64_t zero_size_items_ = 0;
};

}  // namespace nunatak::avro
