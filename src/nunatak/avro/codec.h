#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "nunatak/base/bytes.h"
#include "nunatak/base/export.h"

namespace nunatak::avro {

struct Codec;

/// The codec of an object container file by its name in `avro.codec`: "null", "deflate", "snappy"
/// or "zstandard". Throws `ErrorCode::kUnsupported` for others, by name.
NUNATAK_EXPORT const Codec& FindCodec(std::string_view name);

/// No block holds more bytes than this, inflated or not: what the reference writer can produce.
inline constexpr size_t kMaxBlockBytes = 0x7fffffff;

/// Bytes that grow without being initialised or kept; reused from block to block.
class ByteBuffer {
 public:
  /// Makes room for `size` bytes; the former content is lost when it has to grow.
  uint8_t* Reserve(size_t size) {
    if (size > capacity_) {
      data_.reset();
      capacity_ = 0;
      data_.reset(new uint8_t[size]);
      capacity_ = size;
    }
    return data_.get();
  }
  size_t capacity() const { return capacity_; }

 private:
  std::unique_ptr<uint8_t[]> data_;
  size_t capacity_ = 0;
};

/// Inflates blocks. It keeps the libraries' working memory from one call to the next: hold one per
/// thread. Not thread-safe.
class NUNATAK_EXPORT Decompressor {
 public:
  Decompressor();
  ~Decompressor();
  Decompressor(Decompressor&&) noexcept;
  Decompressor& operator=(Decompressor&&) noexcept;

  /// The inflated bytes of `block`: in `out`, or `block` itself when the codec is "null"; valid as
  /// long as both. `out` never grows beyond the codec's limit, which is a multiple of the block's
  /// size plus 64 KiB: 1,032 for deflate and 22 for snappy (no valid data is denser), 4,096 for
  /// zstandard; nor beyond `kMaxBlockBytes`. Throws `ErrorCode::kInvalid` for bytes that do not
  /// inflate, for a wrong checksum, and beyond the limit.
  ByteSpan Decompress(const Codec& codec, ByteSpan block, ByteBuffer& out);

 private:
  friend struct CodecLibraries;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace nunatak::avro
