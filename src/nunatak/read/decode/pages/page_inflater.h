#pragma once

#include <arrow/util/type_fwd.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "nunatak/base/bytes.h"
#include "nunatak/base/export.h"
#include "nunatak/read/decode/parquet_pages.h"

struct ZSTD_DCtx_s;

namespace nunatak {

/// What a page holds, inflated.
struct PageContents {
  /// In the hybrid encoding; empty for columns without nulls.
  ByteSpan definition_levels;
  ByteSpan values;
};

/// Inflates the pages of a column chunk without repetition levels, one at a time.
class NUNATAK_EXPORT PageInflater {
 public:
  /// Throws `ErrorCode::kUnsupported` for a codec that this build does not have.
  PageInflater(arrow::Compression::type codec, bool verify_crc);
  ~PageInflater();
  PageInflater(PageInflater&&) noexcept;

  /// `bytes` are the page's, with its header. What is returned is valid until the next call and as
  /// long as `bytes`. Throws `ErrorCode::kInvalid` for bytes that do not inflate to what the
  /// header says, and for a wrong checksum.
  PageContents Inflate(const ParquetPage& page, ByteSpan bytes, bool has_definition_levels);

 private:
  struct FreeZstd {
    void operator()(ZSTD_DCtx_s* context) const;
  };

  ByteSpan Inflated(ByteSpan stored, size_t size);
  size_t Decompress(ByteSpan stored, size_t size);

  /// Null for pages that are not compressed.
  std::unique_ptr<arrow::util::Codec> codec_;
  /// Arrow's codec would make one for each page.
  std::unique_ptr<ZSTD_DCtx_s, FreeZstd> zstd_;
  bool verify_crc_;
  std::unique_ptr<uint8_t[]> buffer_;
  size_t capacity_ = 0;
};

}  // namespace nunatak
