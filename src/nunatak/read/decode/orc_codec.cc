#include "nunatak/read/decode/orc_codec.h"

#include <arrow/util/compression.h>
#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>

#include "nunatak/base/error.h"
#include "nunatak/read/decode/arrow_error.h"

namespace nunatak {

namespace {

/// A chunk's length has 23 bits; the lowest one of its three bytes says that it is not compressed.
constexpr size_t kChunkHeader = 3;
constexpr size_t kMaxChunk = (size_t{1} << 23) - 1;

constexpr uint64_t kZstd = 5;

std::unique_ptr<arrow::util::Codec> MakeCodec(uint64_t kind) {
  switch (kind) {
    case 1: {
      arrow::util::GZipCodecOptions raw;
      raw.gzip_format = arrow::util::GZipFormat::DEFLATE;
      return ValueOrThrow(arrow::util::Codec::Create(arrow::Compression::GZIP, raw));
    }
    case 2:
      return ValueOrThrow(arrow::util::Codec::Create(arrow::Compression::SNAPPY));
    case 4:
      return ValueOrThrow(arrow::util::Codec::Create(arrow::Compression::LZ4));
    case 0:
    case kZstd:
      return nullptr;
    default:
      ThrowUnsupported(fmt::format("ORC files compressed with {} are not supported",
                                   kind == 3 ? "LZO" : fmt::format("codec {}", kind)));
  }
}

}  // namespace

OrcCodec::OrcCodec(uint64_t kind, uint64_t block_size)
    : kind_(kind), block_size_(static_cast<size_t>(block_size)), codec_(MakeCodec(kind)) {
  if (kind != 0 && (block_size == 0 || block_size > kMaxChunk + 1)) {
    ThrowInvalid(fmt::format("compression blocks of {} bytes", block_size));
  }
}

OrcCodec::~OrcCodec() = default;
OrcCodec::OrcCodec(OrcCodec&&) noexcept = default;

std::vector<uint8_t> OrcCodec::Inflate(ByteSpan stream) const {
  if (kind_ == 0) return {stream.begin(), stream.end()};
  std::vector<uint8_t> inflated;
  while (!stream.empty()) {
    if (stream.size() < kChunkHeader) ThrowInvalid("a compressed chunk goes beyond its stream");
    const size_t head = stream[0] | size_t{stream[1]} << 8 | size_t{stream[2]} << 16;
    stream = stream.subspan(kChunkHeader);
    if (head / 2 > stream.size()) ThrowInvalid("a compressed chunk goes beyond its stream");
    const ByteSpan chunk = stream.first(head / 2);
    stream = stream.subspan(chunk.size());
    if (head % 2 == 1) {
      inflated.insert(inflated.end(), chunk.begin(), chunk.end());
      continue;
    }
    const size_t before = inflated.size();
    inflated.resize(before + block_size_);
    inflated.resize(before + InflateChunk(chunk, inflated.data() + before));
  }
  return inflated;
}

/// Writes a block at most; returns how many bytes there are.
size_t OrcCodec::InflateChunk(ByteSpan chunk, uint8_t* out) const {
  if (kind_ == kZstd) {
    // Arrow's codec wants to know how many there will be.
    const size_t size = ZSTD_decompress(out, block_size_, chunk.data(), chunk.size());
    if (ZSTD_isError(size) != 0) ThrowInvalid(ZSTD_getErrorName(size));
    return size;
  }
  return static_cast<size_t>(ValueOrThrow(codec_->Decompress(
      static_cast<int64_t>(chunk.size()), chunk.data(), static_cast<int64_t>(block_size_), out)));
}

std::vector<uint8_t> OrcCodec::Frame(ByteSpan bytes) const {
  if (kind_ == 0) return {bytes.begin(), bytes.end()};
  std::vector<uint8_t> stream;
  while (!bytes.empty()) {
    const size_t size = std::min(bytes.size(), std::min(block_size_, kMaxChunk));
    const size_t head = size << 1 | 1;
    for (int shift = 0; shift < 24; shift += 8)
      stream.push_back(static_cast<uint8_t>(head >> shift));
    stream.insert(stream.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    bytes = bytes.subspan(size);
  }
  return stream;
}

}  // namespace nunatak
