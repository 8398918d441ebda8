#include "nunatak/iceberg/deletion_vector.h"

#include <fmt/format.h>
#include <roaring/roaring.h>

#include <memory>
#include <optional>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/base/hash.h"
#include "nunatak/iceberg/roaring_format.h"

namespace nunatak::iceberg {

namespace {

// A blob: length of magic and vector (big-endian), magic, vector, CRC-32 of both (big-endian).
constexpr size_t kLengthSize = 4;
constexpr uint32_t kMagic = 0x6439d3d1;  // D1 D3 39 64, read little-endian
/// An older form, which Delta tables may still have: not by key, but one bitmap after the other
/// from key 0 on, each with its length before it.
constexpr uint32_t kArrayMagic = 0x6439d3d0;
constexpr size_t kMagicSize = 4;
constexpr size_t kCrcSize = 4;
constexpr size_t kCountSize = 8;
constexpr size_t kArrayCountSize = 4;
constexpr size_t kKeySize = 4;
/// A key, a cookie and a container count.
constexpr size_t kMinBitmapSize = kKeySize + 8;
constexpr uint32_t kMaxKey = 0x7fffffff;

uint32_t LoadBigEndian(const uint8_t* at) {
  return __builtin_bswap32(LoadLittleEndian<uint32_t>(at));
}

/// Whether numbers are big-endian in a blob of the older form; nullopt for one of another form.
/// Both orders exist: the specification's example has the one, what engines write the other.
std::optional<bool> FindArrayOrder(ByteSpan blob) {
  const uint8_t* magic = blob.data() + kLengthSize;
  if (LoadLittleEndian<uint32_t>(magic) == kArrayMagic) return false;
  if (LoadBigEndian(magic) == kArrayMagic) return true;
  return std::nullopt;
}

/// Checks length, magic and checksum; returns the offset at which the vector ends.
size_t CheckFrame(ByteSpan blob) {
  if (blob.size() < kLengthSize + kMagicSize + kArrayCountSize + kCrcSize) {
    ThrowInvalid(fmt::format("a deletion vector cannot have {} bytes", blob.size()));
  }
  const uint32_t length = LoadBigEndian(blob.data());
  if (length != blob.size() - kLengthSize - kCrcSize) {
    ThrowInvalid(
        fmt::format("byte 0: the deletion vector says it has {} bytes, but the blob has {}", length,
                    blob.size() - kLengthSize - kCrcSize));
  }
  if (LoadLittleEndian<uint32_t>(blob.data() + kLengthSize) != kMagic && !FindArrayOrder(blob)) {
    ThrowInvalid(fmt::format("byte {}: not a deletion vector: the magic bytes are {}", kLengthSize,
                             ToHex(blob.subspan(kLengthSize, kMagicSize))));
  }
  const size_t end = blob.size() - kCrcSize;
  if (Crc32(blob.subspan(kLengthSize, length)) != LoadBigEndian(blob.data() + end)) {
    ThrowInvalid(fmt::format("byte {}: the checksum of the deletion vector does not fit", end),
                 "the file is damaged");
  }
  return end;
}

}  // namespace

FetchRequest DeletionVectorRequest(const DataFile& file) {
  if (!file.content_offset || !file.content_size_in_bytes) {
    ThrowInvalid(
        fmt::format("{}: the deletion vector has no content_offset or "
                    "content_size_in_bytes",
                    file.file_path));
  }
  const ByteRange range{*file.content_offset, *file.content_size_in_bytes};
  if (range.offset < 0 || range.length < 0 || range.length > INT32_MAX ||
      range.offset > file.file_size_in_bytes - range.length) {
    ThrowInvalid(
        fmt::format("{}: the deletion vector at content_offset {} of "
                    "content_size_in_bytes {} does not fit into {} bytes",
                    file.file_path, range.offset, range.length, file.file_size_in_bytes));
  }
  return FetchRequest{file.file_path, range};
}

/// Reads the bitmaps of one blob into a set.
class DeletionVectorParser {
 public:
  explicit DeletionVectorParser(ByteSpan blob)
      : input_(blob.first(CheckFrame(blob))), array_order_(FindArrayOrder(blob)) {}

  PositionSet Parse() {
    if (array_order_) {
      ParseArray(*array_order_);
    } else {
      ParseByKey();
    }
    if (at_ != input_.size()) {
      ThrowInvalid(
          fmt::format("byte {}: {} bytes follow the last bitmap", at_, input_.size() - at_));
    }
    return std::move(positions_);
  }

 private:
  void ParseByKey() {
    if (input_.size() - at_ < kCountSize) {
      ThrowInvalid(fmt::format("a deletion vector cannot have {} bytes", input_.size()));
    }
    const uint64_t count = CheckCount(LoadLittleEndian<uint64_t>(input_.data() + at_));
    at_ += kCountSize;
    std::optional<uint32_t> key_before;
    for (uint64_t i = 0; i < count; ++i) {
      RequireBitmap(i, count);
      const auto key = LoadLittleEndian<uint32_t>(input_.data() + at_);
      if (key > kMaxKey || (key_before && key <= *key_before)) {
        ThrowInvalid(fmt::format("byte {}: bitmap key {} is out of order or too great", at_, key));
      }
      key_before = key;
      at_ += kKeySize;
      ParseBitmap(key, i);
    }
  }

  void ParseArray(bool big_endian) {
    const auto load = [&] {
      const uint8_t* at = input_.data() + at_;
      at_ += 4;
      return big_endian ? LoadBigEndian(at) : LoadLittleEndian<uint32_t>(at);
    };
    const uint64_t count = CheckCount(load());
    for (uint32_t key = 0; key < count; ++key) {
      RequireBitmap(key, count);
      const size_t length = load();
      const size_t begin = at_;
      ParseBitmap(key, key);
      if (at_ - begin == length) continue;
      ThrowInvalid(fmt::format("byte {}: bitmap {} has {} bytes, its length says {}", begin, key,
                               at_ - begin, length));
    }
  }

  uint64_t CheckCount(uint64_t count) const {
    if (count <= (input_.size() - at_) / kMinBitmapSize) return count;
    ThrowInvalid(fmt::format("byte {}: {} bitmaps do not fit into the {} bytes that are left",
                             kLengthSize + kMagicSize, count, input_.size() - at_));
  }

  void RequireBitmap(uint64_t i, uint64_t count) const {
    if (input_.size() - at_ >= kMinBitmapSize) return;
    ThrowInvalid(fmt::format("byte {}: bitmap {} of {} is cut short", at_, i, count));
  }

  void ParseBitmap(uint32_t key, uint64_t i) {
    const size_t next = CheckRoaringBitmap(input_, at_);
    std::unique_ptr<roaring_bitmap_s, PositionSet::Free> bitmap(
        roaring_bitmap_portable_deserialize_safe(reinterpret_cast<const char*>(input_.data()) + at_,
                                                 next - at_));
    if (!bitmap) ThrowInvalid(fmt::format("byte {}: bitmap {} cannot be read", at_, i));
    if (!roaring_bitmap_is_empty(bitmap.get())) {
      positions_.bitmaps_.push_back({key, std::move(bitmap)});
    }
    at_ = next;
  }

  ByteSpan input_;
  std::optional<bool> array_order_;
  size_t at_ = kLengthSize + kMagicSize;
  PositionSet positions_;
};

PositionSet ParseDeletionVector(ByteSpan blob) { return DeletionVectorParser(blob).Parse(); }

}  // namespace nunatak::iceberg
