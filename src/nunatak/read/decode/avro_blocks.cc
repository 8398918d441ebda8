#include "nunatak/read/decode/avro_blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "nunatak/base/error.h"

namespace nunatak {

namespace {

using avro::kSyncBytes;

constexpr int64_t kSmallestWindow = 1024;
/// The last block of a range may end this far beyond it without costing another request.
constexpr int64_t kBeyondRange = 64 << 10;

int64_t SaturatingAdd(int64_t a, int64_t b) {
  int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<int64_t>::max() : sum;
}

}  // namespace

AvroBlocks::AvroBlocks(const avro::ContainerHeader& header, int64_t file_size, Buffer head,
                       int64_t window_bytes)
    : header_(header),
      file_size_(file_size),
      head_(std::move(head)),
      window_bytes_(std::max(window_bytes, kSmallestWindow)) {}

void AvroBlocks::Start(const FilePart& part) {
  const int64_t first_sync = header_.size - kSyncBytes;
  begin_ = part.range ? part.range->offset : 0;
  end_ = part.range ? SaturatingAdd(begin_, part.range->length) : file_size_;
  searching_ = begin_ > first_sync && !part.needs_positions;
  next_ = searching_ ? begin_ : header_.size;
  wanted_ = searching_ ? kSyncBytes : 0;
  StartWindow();
}

void AvroBlocks::Fill(std::vector<Buffer> buffers) {
  if (needed_.empty()) return;
  window_ = std::move(buffers.at(0));
  needed_.clear();
}

bool AvroBlocks::AtEnd() const {
  return next_ >= file_size_ || (searching_ ? next_ : next_ - kSyncBytes) >= end_;
}

void AvroBlocks::StartWindow() {
  window_ = {};
  in_window_ = !AtEnd();
  if (!in_window_) return;
  window_offset_ = next_;
  const auto in_head = static_cast<int64_t>(head_.size()) - next_;
  if (in_head > 0 && in_head >= wanted_) {
    window_ = {head_.bytes.last(static_cast<size_t>(in_head)), head_.owner};
    return;
  }
  const int64_t end = std::max(next_ + std::max(wanted_, kSmallestWindow),
                               std::min(next_ + window_bytes_, SaturatingAdd(end_, kBeyondRange)));
  needed_ = {{next_, std::min(end, file_size_) - next_}};
}

std::optional<AvroBlocks::PositionedBlock> AvroBlocks::Next() {
  while (in_window_) {
    if ((searching_ && !FindSync()) || AtEnd()) break;
    const ByteSpan rest = window_.bytes.subspan(static_cast<size_t>(next_ - window_offset_));
    avro::ContainerReader reader(rest, next_, file_size_);
    const std::optional<avro::CompressedBlock> block = reader.ReadBlock(header_, &wanted_);
    if (!block) break;
    wanted_ = 0;
    next_ = reader.offset();
    const int64_t first_row = rows_;
    if (__builtin_add_overflow(rows_, block->count, &rows_)) {
      ThrowInvalid(fmt::format(
          "byte {}: the blocks before claim more records than a 64-bit number holds", next_));
    }
    if (block->offset - kSyncBytes >= begin_) return PositionedBlock{*block, first_row};
  }
  StartWindow();
  return std::nullopt;
}

/// Moves `next_` behind the first sync marker of the window; false when there is none of the part.
bool AvroBlocks::FindSync() {
  const uint8_t* end = window_.bytes.data() + window_.size();
  const uint8_t* found =
      std::search(window_.bytes.data() + (next_ - window_offset_), end,
                  std::boyer_moore_horspool_searcher(header_.sync.begin(), header_.sync.end()));
  if (found == end) {
    // The window may end within a marker.
    next_ = window_end() == file_size_ ? file_size_ : window_end() - kSyncBytes + 1;
    return false;
  }
  next_ = window_offset_ + (found - window_.bytes.data());
  if (next_ >= end_) return false;
  next_ += kSyncBytes;
  wanted_ = 0;
  searching_ = false;
  return true;
}

}  // namespace nunatak
