#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "nunatak/base/bytes.h"
#include "nunatak/base/export.h"
#include "nunatak/io/file_io.h"
#include "nunatak/read/decode/file_decoder.h"
#include "nunatak/read/decode/sectioned_file.h"

namespace nunatak {

/// How many bytes at the end of a Parquet file make up its footer, length and magic included;
/// `tail` holds at least its last 8 bytes (or all, of a shorter file). Throws `ErrorCode::kInvalid`
/// when the file is not Parquet, and `kUnsupported` when it is encrypted; callers add the file's
/// name.
NUNATAK_EXPORT int64_t ParquetFooterSize(int64_t file_size, ByteSpan tail);

/// A Parquet file; its sections are the row groups. Columns are decoded page by page, and by
/// Arrow's reader where they are lists or maps, or in a form that is rare. The file's embedded
/// Arrow schema (key `ARROW:schema`) is not looked at. Whatever Arrow makes of a damaged file is an
/// `Error`, to which callers add the file's name.
class NUNATAK_EXPORT ParquetFile final : public SectionedFile {
 public:
  /// `footer` holds the last `ParquetFooterSize` bytes of the file, or more.
  ParquetFile(int64_t file_size, const Buffer& footer, const DecodeOptions& options);
  ~ParquetFile() override;

  std::vector<FileField>& fields() override;
  std::span<const FileSection> sections() const override;
  LeafStats StatsOf(size_t group, int leaf) const override;
  std::vector<ByteRange> PageIndexRanges(size_t group,
                                         const std::vector<int>& filter_leaves) const override;
  MatchingRows FindMatchingRows(size_t group, const SectionFilter& filter,
                                const std::vector<Buffer>& index) override;
  void FinishSelection() override;
  std::vector<ByteRange> RangesOf(size_t group, std::span<const RowRange> rows) const override;
  void Fill(int64_t offset, Buffer bytes) override;
  void Release() override;
  void StartSection(size_t group, std::vector<RowRange> rows) override;
  RowRange NextRows() override;
  std::shared_ptr<arrow::Array> Read(int field, const RowSelection& rows) override;
  bool reads_fields_at_once() const override { return true; }

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nunatak
