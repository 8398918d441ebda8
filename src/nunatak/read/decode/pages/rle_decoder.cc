#include "nunatak/read/decode/pages/rle_decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "nunatak/base/error.h"
#include "nunatak/read/decode/pages/bit_unpack.h"

namespace nunatak {

namespace {

constexpr int kMaxWidth = 32;
constexpr int64_t kMaxRun = std::numeric_limits<int32_t>::max();

}  // namespace

RleDecoder::RleDecoder(ByteSpan bytes, int width) : bytes_(bytes), width_(width) {
  if (width > kMaxWidth) ThrowInvalid(fmt::format("numbers of {} bits in a page", width));
}

void RleDecoder::Read(std::span<uint32_t> out) {
  while (!out.empty()) {
    const size_t count = std::min(out.size(), static_cast<size_t>(Left()));
    const std::span<uint32_t> piece = out.first(count);
    if (repeated_left_ > 0) {
      std::fill(piece.begin(), piece.end(), repeated_);
      repeated_left_ -= static_cast<int64_t>(count);
    } else {
      UnpackBits(packed_, width_, static_cast<size_t>(packed_next_), piece);
      packed_next_ += static_cast<int64_t>(count);
    }
    out = out.subspan(count);
  }
}

void RleDecoder::Skip(int64_t count) {
  while (count > 0) {
    const int64_t skipped = std::min(count, Left());
    (repeated_left_ > 0 ? repeated_left_ : packed_next_) += repeated_left_ > 0 ? -skipped : skipped;
    count -= skipped;
  }
}

RleDecoder::Run RleDecoder::NextRun() {
  Left();
  return {repeated_left_, repeated_};
}

int64_t RleDecoder::Left() {
  while (repeated_left_ == 0 && packed_next_ == packed_count_) BeginRun();
  return repeated_left_ > 0 ? repeated_left_ : packed_count_ - packed_next_;
}

void RleDecoder::BeginRun() {
  const uint64_t header = Varint();
  const uint64_t count = header >> 1;
  if (count == 0 || count > static_cast<uint64_t>(kMaxRun)) {
    ThrowInvalid(fmt::format("a run of {} numbers in a page", count));
  }
  if ((header & 1) == 0) {
    const auto size = static_cast<size_t>((width_ + 7) / 8);
    if (size > bytes_.size() - position_) ThrowInvalid("a run in a page is cut short");
    repeated_ = 0;
    for (size_t i = 0; i < size; ++i) {
      repeated_ |= static_cast<uint32_t>(bytes_[position_ + i]) << (8 * i);
    }
    position_ += size;
    repeated_left_ = static_cast<int64_t>(count);
    return;
  }
  // Some writers leave away what the last group has too much.
  const size_t left = bytes_.size() - position_;
  const auto group = static_cast<size_t>(width_);
  const size_t size = std::min(static_cast<size_t>(count) * group, left);
  if (size < (static_cast<size_t>(count) - 1) * group) {
    ThrowInvalid("a run in a page is cut short");
  }
  packed_ = bytes_.subspan(position_);
  position_ += size;
  packed_next_ = 0;
  packed_count_ = static_cast<int64_t>(count) * 8;
  if (width_ > 0) packed_count_ = std::min(packed_count_, static_cast<int64_t>(size) * 8 / width_);
}

uint64_t RleDecoder::Varint() {
  uint64_t value = 0;
  for (int shift = 0; shift < 35; shift += 7) {
    if (position_ == bytes_.size()) ThrowInvalid("a page has fewer numbers than values");
    const uint8_t byte = bytes_[position_++];
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  ThrowInvalid("a malformed run in a page");
}

}  // namespace nunatak
