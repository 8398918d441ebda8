#include "nunatak/iceberg/deletion_vector.h"

#include <fmt/format.h>
#include <roaring/roaring.h>

#include "nunatak/base/error.h"
#include "nunatak/base/hash.h"
#include "nunatak/iceberg/roaring_format.h"

namespace nunatak::iceberg {

namespace {

// A blob: length of magic and vector (big-endian), magic, vector, CRC-32 of both (big-endian).
constexpr size_t kLengthSize = 4;
constexpr uint32_t kMagic = 0x6439d3d1;  // D1 D3 39 64, read little-endian
constexpr size_t kMagicSize = 4;
constexpr size_t kCrcSize = 4;
constexpr size_t kCountSize = 8;
constexpr size_t kKeySize = 4;
/// A key, a cookie and a container count.
constexpr size_t kMinBitmapSize = kKeySize + 8;
constexpr uint32_t kMaxKey = 0x7fffffff;

uint32_t LoadBigEndian(const uint8_t* at) {
  return __builtin_bswap32(LoadLittleEndian<uint32_t>(at));
}

/// Checks length, magic and checksum; returns the offset at which the vector ends.
size_t CheckFrame(ByteSpan blob) {
  if (blob.size() < kLengthSize + kMagicSize + kCountSize + kCrcSize) {
    ThrowInvalid(fmt::format("a deletion vector cannot have {} bytes", blob.size()));
  }
  const uint32_t length = LoadBigEndian(blob.data());
  if (length != blob.size() - kLengthSize - kCrcSize) {
    ThrowInvalid(
        fmt::format("byte 0: the deletion vector says it has {} bytes, but the blob has {}", length,
                    blob.size() - kLengthSize - kCrcSize));
  }
  if (LoadLittleEndian<uint32_t>(blob.data() + kLengthSize) != kMagic) {
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

PositionSet ParseDeletionVector(ByteSpan blob) {
  const size_t end = CheckFrame(blob);
  const ByteSpan input = blob.first(end);
  size_t at = kLengthSize + kMagicSize;
  const auto count = LoadLittleEndian<uint64_t>(input.data() + at);
  at += kCountSize;
  if (count > (end - at) / kMinBitmapSize) {
    ThrowInvalid(fmt::format("byte {}: {} bitmaps do not fit into the {} bytes that are left",
                             at - kCountSize, count, end - at));
  }
  PositionSet positions;
  std::optional<uint32_t> key_before;
  for (uint64_t i = 0; i < count; ++i) {
    if (end - at < kMinBitmapSize) {
      ThrowInvalid(fmt::format("byte {}: bitmap {} of {} is cut short", at, i, count));
    }
    const auto key = LoadLittleEndian<uint32_t>(input.data() + at);
    if (key > kMaxKey || (key_before && key <= *key_before)) {
      ThrowInvalid(fmt::format("byte {}: bitmap key {} is out of order or too great", at, key));
    }
    key_before = key;
    at += kKeySize;
    const size_t next = CheckRoaringBitmap(input, at);
    std::unique_ptr<roaring_bitmap_s, PositionSet::Free> bitmap(
        roaring_bitmap_portable_deserialize_safe(reinterpret_cast<const char*>(input.data()) + at,
                                                 next - at));
    if (!bitmap) ThrowInvalid(fmt::format("byte {}: bitmap {} cannot be read", at, i));
    if (!roaring_bitmap_is_empty(bitmap.get())) {
      positions.bitmaps_.push_back({key, std::move(bitmap)});
    }
    at = next;
  }
  if (at != end)
    ThrowInvalid(fmt::format("byte {}: {} bytes follow the last bitmap", at, end - at));
  return positions;
}

}  // namespace nunatak::iceberg
