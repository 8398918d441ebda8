#include "nunatak/avro/record_cursor.h"

#include <fmt/format.h>

#include "nunatak/avro/decoder.h"
#include "nunatak/base/error.h"

namespace nunatak::avro {

RecordCursor::RecordCursor(const DecodePlan& plan)
    : plan_(&plan), slots_(static_cast<size_t>(plan.slot_count())) {}

RecordCursor::RecordCursor(const DecodePlan& plan, const Block& block) : RecordCursor(plan) {
  Reset(block);
}

void RecordCursor::Reset(const Block& block) {
  const int64_t max_count =
      plan_->zero_size() ? kMaxZeroSizeItems : static_cast<int64_t>(block.bytes.size());
  if (block.count < 0 || block.count > max_count || block.bytes.size() > kMaxBlockBytes) {
    ThrowInvalid(fmt::format("avro block at byte {}: {} records do not fit its {} bytes",
                             block.file_offset, block.count, block.bytes.size()));
  }
  block_ = block;
  next_index_ = 0;
  next_offset_ = 0;
}

bool RecordCursor::Next(Slot* slots) {
  if (next_index_ == block_.count) {
    if (next_offset_ == block_.bytes.size()) return false;
    ThrowInvalid(fmt::format("avro block at byte {}: its {} records end at byte {}, but it has {}",
                             block_.file_offset, block_.count, next_offset_, block_.bytes.size()));
  }
  const uint8_t* begin = block_.bytes.data();
  const Decoder decoder(plan_->programs(), slots, begin, begin + block_.bytes.size());
  try {
    next_offset_ = static_cast<size_t>(decoder.Run(slots_.size(), begin + next_offset_) - begin);
  } catch (Error& error) {
    error.AddContext(
        fmt::format("avro block at byte {}, record {}", block_.file_offset, next_index_));
    throw;
  }
  ++next_index_;
  return true;
}

}  // namespace nunatak::avro
