#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nunatak/avro/container.h"
#include "nunatak/avro/decode_plan.h"
#include "nunatak/avro/slot.h"
#include "nunatak/base/export.h"

namespace nunatak::avro {

/// Walks the records of a block. It allocates when it is made and never per record, so make one per
/// file and `Reset` it for each block. The plan and the block must outlive it. Errors are
/// `ErrorCode::kInvalid`, and name the block's offset in the file, the record, the byte and the
/// field.
class NUNATAK_EXPORT RecordCursor {
 public:
  explicit RecordCursor(const DecodePlan& plan);
  RecordCursor(const DecodePlan& plan, const Block& block);

  /// Starts over with another block. Throws when the block claims more records than its bytes can
  /// hold, so that callers may reserve room for `block.count` records.
  void Reset(const Block& block);

  /// Decodes the next record; false after the last one. Throws when the records do not end exactly
  /// where the block ends.
  bool Next() { return Next(slots_.data()); }
  /// The same into `plan.slot_count()` slots of the caller's, who keeps them.
  bool Next(Slot* slots);
  /// A value of the decoded record; null when the value is null or the schema lacks the field.
  const Slot& slot(int i) const { return slots_[i]; }
  std::span<const Slot> slots() const { return slots_; }
  /// Where the decoded record ended in the block's bytes.
  size_t record_end() const { return next_offset_; }

 private:
  const DecodePlan* plan_;
  std::vector<Slot> slots_;
  Block block_;
  int64_t next_index_ = 0;
  size_t next_offset_ = 0;
};

}  // namespace nunatak::avro
