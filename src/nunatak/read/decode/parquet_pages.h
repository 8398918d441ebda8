#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "nunatak/base/bytes.h"
#include "nunatak/base/export.h"

namespace nunatak {

/// A page of a Parquet column chunk.
struct ParquetPage {
  /// Counted from the chunk's first byte; with its header.
  size_t offset = 0;
  size_t size = 0;
  bool is_data = false;
  /// Nulls counted; of a dictionary, its entries.
  int32_t values = 0;
  int32_t inflated_size = 0;
};

/// What a page may claim to inflate to: so many times its bytes, and so much besides. A page of
/// zeros does not reach it under any codec that writers use.
inline constexpr int64_t kMaxPageInflation = 32768;
inline constexpr int64_t kMaxPageSlack = int64_t{16} << 20;

/// The pages of a column chunk, up to the one with which the chunk has its `values`, which the
/// footer says. `bytes` begin with the chunk, and may go on after it. Throws
/// `ErrorCode::kInvalid` where a header is malformed or a page goes beyond the bytes, where the
/// chunk has fewer values, where a page claims to inflate beyond all measure, and where a
/// dictionary has more entries than bytes: nobody who decodes the pages afterwards allocates for
/// mere claims. An error names the byte offset, to which `chunk_offset` is added.
NUNATAK_EXPORT std::vector<ParquetPage> ReadPages(ByteSpan bytes, int64_t values,
                                                  int64_t chunk_offset = 0);

}  // namespace nunatak
