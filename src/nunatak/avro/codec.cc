#include "nunatak/avro/codec.h"

#include <fmt/format.h>
#include <libdeflate.h>
#include <snappy.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <new>
#include <optional>
#include <string>

#include "nunatak/base/error.h"
#include "nunatak/base/hash.h"

namespace nunatak::avro {

struct Decompressor::State {
  struct FreeDeflate {
    void operator()(libdeflate_decompressor* it) const { libdeflate_free_decompressor(it); }
  };
  struct FreeZstd {
    void operator()(ZSTD_DCtx* it) const { ZSTD_freeDCtx(it); }
  };
  std::unique_ptr<libdeflate_decompressor, FreeDeflate> deflate;
  std::unique_ptr<ZSTD_DCtx, FreeZstd> zstd;
};

/// Inflates `block` into `out`, which may grow up to `limit` bytes.
using Inflate = ByteSpan (*)(Decompressor& decompressor, ByteSpan block, size_t limit,
                             ByteBuffer& out);

struct Codec {
  std::string_view name;
  /// Inflated bytes per compressed byte at most; see `Decompressor::Decompress`.
  size_t max_ratio;
  Inflate inflate;
};

namespace {

constexpr size_t kSlackBytes = 64 * 1024;

[[noreturn]] void ThrowBeyondLimit(size_t limit) {
  ThrowInvalid(fmt::format("the block inflates to more than {} bytes", limit),
               "a block of this size never does in a sound file");
}

/// Calls `attempt(data, capacity)` with more and more room, until it returns a size instead of
/// nothing: the formats do not tell how much is needed.
template <typename Attempt>
ByteSpan GrowUntilItFits(size_t first_guess, size_t limit, ByteBuffer& out, Attempt attempt) {
  size_t capacity = std::min(std::max(first_guess, out.capacity()), limit);
  while (true) {
    uint8_t* data = out.Reserve(capacity);
    if (const std::optional<size_t> size = attempt(data, capacity)) return {data, *size};
    if (capacity == limit) ThrowBeyondLimit(limit);
    capacity = capacity > limit / 2 ? limit : capacity * 2;
  }
}

size_t GuessInflatedSize(ByteSpan block) { return block.size() * 6 + 1024; }

}  // namespace

/// The one place that calls the libraries.
struct CodecLibraries {
  static ByteSpan Null(Decompressor&, ByteSpan block, size_t, ByteBuffer&) { return block; }

  static ByteSpan Deflate(Decompressor& decompressor, ByteSpan block, size_t limit,
                          ByteBuffer& out) {
    auto& library = decompressor.state_->deflate;
    if (!library) library.reset(libdeflate_alloc_decompressor());
    if (!library) throw std::bad_alloc();
    return GrowUntilItFits(GuessInflatedSize(block), limit, out,
                           [&](uint8_t* data, size_t capacity) -> std::optional<size_t> {
                             size_t size = 0;
                             // Bytes after the stream are let pass: some writers leave a part of
                             // zlib's checksum there.
                             const libdeflate_result result = libdeflate_deflate_decompress(
                                 library.get(), block.data(), block.size(), data, capacity, &size);
                             if (result == LIBDEFLATE_INSUFFICIENT_SPACE) return std::nullopt;
                             if (result != LIBDEFLATE_SUCCESS)
                               ThrowInvalid("the block's deflate stream is corrupted");
                             return size;
                           });
  }

  /// A snappy block of Avro ends with the big-endian CRC-32 of the inflated bytes.
  static ByteSpan Snappy(Decompressor&, ByteSpan block, size_t limit, ByteBuffer& out) {
    constexpr size_t kChecksumBytes = 4;
    if (block.size() < kChecksumBytes) ThrowInvalid("the snappy block lacks its checksum");
    const char* data = reinterpret_cast<const char*>(block.data());
    const size_t length = block.size() - kChecksumBytes;
    size_t size = 0;
    if (!snappy::GetUncompressedLength(data, length, &size)) {
      ThrowInvalid("the block's snappy data is corrupted");
    }
    if (size > limit) ThrowBeyondLimit(limit);
    uint8_t* target = out.Reserve(size);
    if (!snappy::RawUncompress(data, length, reinterpret_cast<char*>(target))) {
      ThrowInvalid("the block's snappy data is corrupted");
    }
    uint32_t stored = 0;
    for (const uint8_t byte : block.last(kChecksumBytes)) stored = stored << 8 | byte;
    const uint32_t computed = Crc32({target, size});
    if (stored != computed) {
      ThrowInvalid(fmt::format("the snappy block's checksum is {:08x}, but its bytes have {:08x}",
                               stored, computed));
    }
    return {target, size};
  }

  static ByteSpan Zstandard(Decompressor& decompressor, ByteSpan block, size_t limit,
                            ByteBuffer& out) {
    auto& library = decompressor.state_->zstd;
    if (!library) library.reset(ZSTD_createDCtx());
    if (!library) throw std::bad_alloc();
    // Streaming writers do not state the size; whatever is stated is not trusted beyond the limit.
    const uint64_t stated = ZSTD_getFrameContentSize(block.data(), block.size());
    const bool is_stated = stated != ZSTD_CONTENTSIZE_UNKNOWN && stated != ZSTD_CONTENTSIZE_ERROR;
    if (is_stated && stated > limit) ThrowBeyondLimit(limit);
    return GrowUntilItFits(
        is_stated ? static_cast<size_t>(stated) : GuessInflatedSize(block), limit, out,
        [&](uint8_t* data, size_t capacity) -> std::optional<size_t> {
          const size_t size =
              ZSTD_decompressDCtx(library.get(), data, capacity, block.data(), block.size());
          if (!ZSTD_isError(size)) return size;
          if (ZSTD_getErrorCode(size) == ZSTD_error_dstSize_tooSmall) return std::nullopt;
          ThrowInvalid(
              fmt::format("the block's zstandard data is corrupted: {}", ZSTD_getErrorName(size)));
        });
  }
};

namespace {

/// A new codec is one more row.
constexpr Codec kCodecs[] = {
    {"null", 1, CodecLibraries::Null},
    {"deflate", 1032, CodecLibraries::Deflate},
    {"snappy", 22, CodecLibraries::Snappy},
    {"zstandard", 4096, CodecLibraries::Zstandard},
};

}  // namespace

const Codec& FindCodec(std::string_view name) {
  std::string known;
  for (const Codec& codec : kCodecs) {
    if (codec.name == name) return codec;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", codec.name);
  }
  ThrowUnsupported(fmt::format("the Avro codec '{}' is not supported", name.substr(0, 64)),
                   fmt::format("rewrite the file with one of: {}", known));
}

Decompressor::Decompressor() : state_(std::make_unique<State>()) {}
Decompressor::~Decompressor() = default;
Decompressor::Decompressor(Decompressor&&) noexcept = default;
Decompressor& Decompressor::operator=(Decompressor&&) noexcept = default;

ByteSpan Decompressor::Decompress(const Codec& codec, ByteSpan block, ByteBuffer& out) {
  if (block.size() > kMaxBlockBytes) {
    ThrowInvalid(fmt::format("the block has {} bytes, more than {}", block.size(), kMaxBlockBytes));
  }
  const size_t limit = std::min(block.size() * codec.max_ratio + kSlackBytes, kMaxBlockBytes);
  return codec.inflate(*this, block, limit, out);
}

}  // namespace nunatak::avro
