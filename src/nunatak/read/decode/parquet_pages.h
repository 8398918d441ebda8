#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "nunatak/base/bytes.h"
#include "nunatak/base/export.h"

namespace nunatak {

/// As parquet.thrift numbers them.
enum class PageEncoding : int32_t {
  kPlain = 0,
  kPlainDictionary = 2,
  kRle = 3,
  kBitPacked = 4,
  kDeltaBinaryPacked = 5,
  kDeltaLengthByteArray = 6,
  kDeltaByteArray = 7,
  kRleDictionary = 8,
  kByteStreamSplit = 9,
};

/// A page of a Parquet column chunk, as its header says (parquet.thrift, PageHeader).
struct ParquetPage {
  /// Counted from the chunk's first byte; with its header.
  size_t offset = 0;
  size_t size = 0;
  size_t header_size = 0;
  bool is_data = false;
  bool is_dictionary = false;
  /// A data page of the second version: its levels come first, and are not compressed.
  bool is_v2 = false;
  /// Nulls counted; of a dictionary, its entries.
  int32_t values = 0;
  /// Of what follows the header, levels included.
  int32_t inflated_size = 0;
  PageEncoding encoding = PageEncoding::kPlain;
  /// Of the first version alone.
  PageEncoding definition_encoding = PageEncoding::kRle;
  /// Of the second version alone.
  int32_t definition_bytes = 0;
  int32_t repetition_bytes = 0;
  bool is_compressed = true;
  /// The CRC-32 of what follows the header.
  std::optional<uint32_t> crc = std::nullopt;
};

/// What a page may claim to inflate to: so many times its bytes, and so much besides. A page of
/// zeros does not reach it under any codec that writers use.
inline constexpr int64_t kMaxPageInflation = 32768;
inline constexpr int64_t kMaxPageSlack = int64_t{16} << 20;

/// The page with which `bytes` begin; they may go on after it. `offset` of what is returned is 0.
/// Throws `ErrorCode::kInvalid` where the header is malformed or lacks a required field, and where
/// the page goes beyond the bytes or claims to inflate beyond all measure. An error names
/// `file_offset`.
NUNATAK_EXPORT ParquetPage ReadPage(ByteSpan bytes, int64_t file_offset);

/// The data pages and the dictionary of a column chunk, up to the one with which the chunk has its
/// `values`, which the footer says. `bytes` begin with the chunk, and may go on after it. Throws
/// what `ReadPage` throws, and `ErrorCode::kInvalid` where the chunk has fewer values, where a
/// dictionary is not the first page, and where it has more entries than bytes: nobody who decodes
/// the pages afterwards allocates for mere claims. `chunk_offset` is added to offsets in errors.
NUNATAK_EXPORT std::vector<ParquetPage> ReadPages(ByteSpan bytes, int64_t values,
                                                  int64_t chunk_offset = 0);

}  // namespace nunatak
