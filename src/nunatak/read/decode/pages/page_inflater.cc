#include "nunatak/read/decode/pages/page_inflater.h"

#include <arrow/util/compression.h>
#include <fmt/format.h>
#include <zstd.h>

#include <new>

#include "nunatak/base/error.h"
#include "nunatak/base/hash.h"
#include "nunatak/read/decode/arrow_error.h"

namespace nunatak {

void PageInflater::FreeZstd::operator()(ZSTD_DCtx_s* context) const { ZSTD_freeDCtx(context); }

namespace {

/// Takes `size` bytes from the front of `bytes`.
ByteSpan Take(ByteSpan* bytes, int64_t size, const char* what) {
  if (size < 0 || static_cast<uint64_t>(size) > bytes->size()) {
    ThrowInvalid(
        fmt::format("{} of {} bytes in a page that has {} left", what, size, bytes->size()));
  }
  const ByteSpan taken = bytes->first(static_cast<size_t>(size));
  *bytes = bytes->subspan(static_cast<size_t>(size));
  return taken;
}

/// The definition levels of a page of the first version, which begin with their length.
ByteSpan TakeLevels(ByteSpan* bytes) {
  const ByteSpan length = Take(bytes, sizeof(uint32_t), "length of levels");
  return Take(bytes, LoadLittleEndian<uint32_t>(length.data()), "levels");
}

}  // namespace

PageInflater::PageInflater(arrow::Compression::type codec, bool verify_crc)
    : verify_crc_(verify_crc) {
  if (codec != arrow::Compression::UNCOMPRESSED) {
    codec_ = ValueOrThrow(arrow::util::Codec::Create(codec));
  }
  if (codec == arrow::Compression::ZSTD) {
    zstd_.reset(ZSTD_createDCtx());
    if (zstd_ == nullptr) throw std::bad_alloc();
  }
}

PageInflater::~PageInflater() = default;
PageInflater::PageInflater(PageInflater&&) noexcept = default;

PageContents PageInflater::Inflate(const ParquetPage& page, ByteSpan bytes,
                                   bool has_definition_levels) {
  ByteSpan stored = bytes.subspan(page.header_size, page.size - page.header_size);
  if (verify_crc_ && page.crc && Crc32(stored) != *page.crc) {
    ThrowInvalid("a page's checksum is wrong", "the file is damaged");
  }
  const auto inflated_size = static_cast<size_t>(page.inflated_size);
  if (!page.is_v2) {
    ByteSpan inflated = Inflated(stored, inflated_size);
    const ByteSpan levels = has_definition_levels ? TakeLevels(&inflated) : ByteSpan();
    return {levels, inflated};
  }
  Take(&stored, page.repetition_bytes, "repetition levels");
  const ByteSpan levels = Take(&stored, page.definition_bytes, "definition levels");
  const auto taken =
      static_cast<size_t>(page.repetition_bytes) + static_cast<size_t>(page.definition_bytes);
  if (taken > inflated_size) ThrowInvalid("a page's levels are larger than the page");
  return {levels, page.is_compressed ? Inflated(stored, inflated_size - taken) : stored};
}

ByteSpan PageInflater::Inflated(ByteSpan stored, size_t size) {
  if (codec_ == nullptr) return stored;
  // Writers leave a page without bytes as it is.
  if (size == 0) return {};
  if (size > capacity_) {
    buffer_.reset();
    capacity_ = 0;
    buffer_.reset(new uint8_t[size]);
    capacity_ = size;
  }
  const size_t inflated = Decompress(stored, size);
  if (inflated != size) {
    ThrowInvalid(fmt::format("a page of {} bytes inflates to {}, where its header says {}",
                             stored.size(), inflated, size));
  }
  return {buffer_.get(), size};
}

size_t PageInflater::Decompress(ByteSpan stored, size_t size) {
  if (zstd_ == nullptr) {
    return static_cast<size_t>(
        ValueOrThrow(codec_->Decompress(static_cast<int64_t>(stored.size()), stored.data(),
                                        static_cast<int64_t>(size), buffer_.get())));
  }
  const size_t inflated =
      ZSTD_decompressDCtx(zstd_.get(), buffer_.get(), size, stored.data(), stored.size());
  if (ZSTD_isError(inflated) != 0) {
    ThrowInvalid(fmt::format("zstd: {}", ZSTD_getErrorName(inflated)));
  }
  return inflated;
}

}  // namespace nunatak
