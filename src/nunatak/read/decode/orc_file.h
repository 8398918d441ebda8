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

/// An ORC file, decoded by Arrow's adapter; its sections are the stripes. Timestamps beyond what
/// nanoseconds since 1970 reach are `ErrorCode::kUnsupported`.
class NUNATAK_EXPORT OrcFile final : public SectionedFile {
 public:
  /// `tail` holds the last `OrcTailSize` bytes of the file, or more.
  OrcFile(int64_t file_size, const Buffer& tail, const DecodeOptions& options);
  ~OrcFile() override;

  std::vector<FileField>& fields() override;
  std::span<const FileSection> sections() const override;
  void FinishSelection() override;
  std::vector<ByteRange> RangesOf(size_t stripe, std::span<const RowRange> rows) const override;
  void Fill(int64_t offset, Buffer bytes) override;
  void Release() override;
  void StartSection(size_t stripe, std::vector<RowRange> rows) override;
  RowRange NextRows() override;
  std::shared_ptr<arrow::Array> Read(int field, const RowSelection& rows) override;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nunatak
