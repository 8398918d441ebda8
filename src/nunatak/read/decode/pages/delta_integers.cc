#include "nunatak/read/decode/pages/delta_integers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "nunatak/base/error.h"
#include "nunatak/read/decode/pages/bit_unpack.h"

namespace nunatak {

namespace {

constexpr int kMaxWidth = 64;
/// Writers have blocks of 128 or 256 integers. A block takes two bytes at least, so that what a
/// page comes to is a multiple of what it holds.
constexpr uint64_t kMaxBlock = 4096;
/// A gigabyte.
constexpr uint64_t kMaxIntegers = uint64_t{1} << 27;

class DeltaReader {
 public:
  explicit DeltaReader(ByteSpan bytes) : bytes_(bytes) {}

  DeltaIntegers Read(int64_t max_count) {
    const uint64_t block_size = Varint();
    const uint64_t miniblocks = Varint();
    const uint64_t count = Varint();
    const auto first = static_cast<uint64_t>(ZigZag());
    if (count > static_cast<uint64_t>(max_count)) {
      ThrowInvalid(fmt::format("{} integers in a page of {} values", count, max_count));
    }
    if (count > kMaxIntegers) ThrowUnsupported(fmt::format("a page of {} integers", count));
    // A block has a multiple of 128 values, a miniblock one of 32.
    if (miniblocks == 0 || block_size == 0 || block_size % 128 != 0 || miniblocks > kMaxBlock ||
        block_size % (miniblocks * 32) != 0 || block_size > kMaxBlock) {
      ThrowInvalid(fmt::format("blocks of {} integers in {} parts", block_size, miniblocks));
    }
    if (count > 0) values_.push_back(static_cast<int64_t>(first));
    last_ = first;
    while (values_.size() < count) {
      ReadBlock(static_cast<size_t>(miniblocks), block_size / miniblocks,
                static_cast<size_t>(count));
    }
    return {std::move(values_), position_};
  }

 private:
  void ReadBlock(size_t miniblocks, size_t miniblock_size, size_t count) {
    const auto least = static_cast<uint64_t>(ZigZag());
    const ByteSpan widths = Take(miniblocks);
    for (size_t i = 0; i < miniblocks && values_.size() < count; ++i) {
      const int width = widths[i];
      if (width > kMaxWidth) ThrowInvalid(fmt::format("differences of {} bits", width));
      // What the last one has too much may be missing.
      const size_t wanted = std::min(miniblock_size, count - values_.size());
      const size_t full = miniblock_size * static_cast<size_t>(width) / 8;
      const size_t needed = (wanted * static_cast<size_t>(width) + 7) / 8;
      const ByteSpan packed = Take(std::max(std::min(full, bytes_.size() - position_), needed));
      AddDifferences(packed, width, least, wanted);
    }
  }

  void AddDifferences(ByteSpan packed, int width, uint64_t least, size_t count) {
    if (width <= 32) {
      numbers_.resize(count);
      UnpackBits(packed, width, 0, numbers_);
      for (const uint32_t number : numbers_) Add(least + number);
      return;
    }
    for (size_t i = 0; i < count; ++i) {
      Add(least + WideNumber(packed, static_cast<size_t>(width), i));
    }
  }

  void Add(uint64_t difference) {
    last_ += difference;
    values_.push_back(static_cast<int64_t>(last_));
  }

  /// A number of more than 32 bits, which may touch nine bytes.
  static uint64_t WideNumber(ByteSpan packed, size_t width, size_t index) {
    const size_t bit = index * width;
    uint64_t value = 0;
    size_t have = 0;
    for (size_t byte = bit / 8, shift = bit % 8; have < width; ++byte, shift = 0) {
      value |= static_cast<uint64_t>(packed[byte] >> shift) << have;
      have += 8 - shift;
    }
    return width == kMaxWidth ? value : value & ((uint64_t{1} << width) - 1);
  }

  ByteSpan Take(size_t count) {
    if (count > bytes_.size() - position_) ThrowInvalid("a page of differences is cut short");
    position_ += count;
    return bytes_.subspan(position_ - count, count);
  }

  uint64_t Varint() {
    uint64_t value = 0;
    for (int shift = 0; shift < kMaxWidth; shift += 7) {
      const uint8_t byte = Take(1)[0];
      value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    ThrowInvalid("a malformed number in a page of differences");
  }

  int64_t ZigZag() {
    const uint64_t value = Varint();
    return static_cast<int64_t>((value >> 1) ^ (~(value & 1) + 1));
  }

  ByteSpan bytes_;
  size_t position_ = 0;
  uint64_t last_ = 0;
  std::vector<int64_t> values_;
  std::vector<uint32_t> numbers_;
};

}  // namespace

DeltaIntegers ReadDeltaIntegers(ByteSpan bytes, int64_t max_count) {
  return DeltaReader(bytes).Read(max_count);
}

std::vector<uint8_t> PlainFromDeltas(ByteSpan bytes, size_t width, int64_t max_count) {
  const std::vector<int64_t> values = ReadDeltaIntegers(bytes, max_count).values;
  std::vector<uint8_t> plain(values.size() * width);
  for (size_t i = 0; i < values.size(); ++i) std::memcpy(&plain[i * width], &values[i], width);
  return plain;
}

}  // namespace nunatak
