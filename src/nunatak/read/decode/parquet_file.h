#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "nunatak/base/bytes.h"
#include "nunatak/base/export.h"
#include "nunatak/io/file_io.h"
#include "nunatak/read/decode/file_field.h"

namespace nunatak {

/// Bytes fetched from the end of a Parquet file to get its footer in one request.
inline constexpr int64_t kFooterPrefetch = 512 << 10;

/// How many bytes at the end of a Parquet file make up its footer, length and magic included;
/// `tail` holds at least its last 8 bytes (or all, of a shorter file). Throws `ErrorCode::kInvalid`
/// when the file is not Parquet, and `kUnsupported` when it is encrypted; callers add the file's
/// name.
NUNATAK_EXPORT int64_t ParquetFooterSize(int64_t file_size, ByteSpan tail);

/// A Parquet file whose footer is parsed: what is in it, which bytes decoding needs, and, once
/// those were filled in, its columns as Arrow arrays. Knows nothing of tables. The file's embedded
/// Arrow schema (key `ARROW:schema`) is not looked at. Whatever Arrow makes of a damaged file is an
/// `Error`, to which callers add the file's name.
class NUNATAK_EXPORT ParquetFile {
 public:
  struct RowGroup {
    int64_t rows = 0;
    /// The position in the file of the group's first row.
    int64_t first_row = 0;
    /// The offset of the group's first byte.
    int64_t start = 0;
  };

  struct Options {
    int64_t batch_size = 65536;
    int64_t batch_bytes = int64_t{16} << 20;
    bool verify_crc = false;
  };

  /// `footer` holds the last `ParquetFooterSize` bytes of the file, or more.
  ParquetFile(int64_t file_size, const Buffer& footer, const Options& options);
  ~ParquetFile();
  ParquetFile(ParquetFile&&) noexcept;
  ParquetFile& operator=(ParquetFile&&) noexcept;

  /// The file's columns. Callers assign ids and mark what they want before `FinishSelection`.
  std::vector<FileField>& fields();
  std::span<const RowGroup> row_groups() const;

  /// Ends the choice of leaves (`FileField::selected`): those alone are decoded.
  void FinishSelection();
  /// The byte ranges that decoding row group `group` needs; neighbours are one range.
  std::vector<ByteRange> RangesOf(int group) const;
  /// Hands over fetched bytes; a range of `RangesOf` must lie in one of them.
  void Fill(int64_t offset, Buffer bytes);
  /// Forgets what was filled in.
  void Release();

  /// Makes `NextBatch` start with the first row of a group.
  void StartRowGroup(int group);
  /// The next rows of the group: the selected columns, pruned to the selected leaves. Null at its
  /// end.
  std::shared_ptr<arrow::RecordBatch> NextBatch();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nunatak
