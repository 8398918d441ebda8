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
  record_begin_ = 0;
  record_end_ = 0;
}

bool RecordCursor::Next() {
  if (next_index_ == block_.count) {
    if (next_offset_ == block_.bytes.size()) return false;
    ThrowInvalid(fmt::format("avro block at byte {}: its {} records end at byte {}, but it has {}",
                             block_.file_offset, block_.count, next_offset_, block_.bytes.size()));
  }
  Decode(next_offset_, next_index_);
  ++next_index_;
  next_offset_ = record_end_;
  return true;
}

void RecordCursor::DecodeAt(size_t offset) {
  if (offset > block_.bytes.size()) {
    ThrowUsage(
        fmt::format("no record starts at byte {} of a block of {}", offset, block_.bytes.size()));
  }
  Decode(offset, -1);
}

void RecordCursor::Decode(size_t offset, int64_t index) {
  const uint8_t* begin = block_.bytes.data();
  const Decoder decoder(plan_->programs(), slots_.data(), begin, begin + block_.bytes.size());
  try {
    record_end_ = static_cast<size_t>(decoder.Run(slots_.size(), begin + offset) - begin);
    record_begin_ = offset;
  } catch (Error& error) {
    error.AddContext(
        index < 0 ? fmt::format("avro block at byte {}, record at {}", block_.file_offset, offset)
                  : fmt::format("avro block at byte {}, record {}", block_.file_offset, index));
    throw;
  }
}

}  // namespace nunatak::avro
