#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/read/decode/file_decoder.h"
#include "nunatak/read/decode/sectioned_file.h"

namespace nunatak {

/// The last bytes of a file, which were fetched for its footer: they may hold more, or all of a
/// small file.
struct FileTail {
  int64_t offset = 0;
  Buffer bytes;
};

/// Decodes a file of sections; a window is some consecutive ones. A section belongs to the range
/// that holds its first byte.
class NUNATAK_EXPORT SectionDecoder final : public FileDecoder {
 public:
  SectionDecoder(std::unique_ptr<SectionedFile> file, FileTail tail, const DecodeOptions& options)
      : file_(std::move(file)), tail_(std::move(tail)), window_bytes_(options.window_bytes) {}

  std::vector<FileField>& fields() override { return file_->fields(); }
  std::vector<int64_t> section_starts() const override;
  void Start(const FilePart& part) override;
  bool done() const override { return next_ == sections_.size() && !in_window_; }
  const std::vector<ByteRange>& needed() const override { return needed_; }
  void Fill(std::vector<Buffer> buffers) override;
  RowSpan Next() override;
  std::shared_ptr<arrow::Array> Read(int field, const RowSelection& rows) override {
    return file_->Read(field, rows);
  }
  bool reads_fields_at_once() const override { return file_->reads_fields_at_once(); }

 private:
  /// A section of the part, and the rows of it that may match.
  struct Wanted {
    size_t section = 0;
    std::vector<RowRange> rows;
  };

  void ChooseRows(const FilePart& part);
  std::optional<Buffer> FromTail(const ByteRange& range) const;
  void StartWindow();
  void AddNeeded(const ByteRange& range);

  std::unique_ptr<SectionedFile> file_;
  FileTail tail_;
  int64_t window_bytes_;
  /// The window is [next_, window_end_) of them.
  std::vector<Wanted> sections_;
  size_t next_ = 0;
  size_t window_end_ = 0;
  bool in_window_ = false;
  bool in_section_ = false;
  std::vector<ByteRange> needed_;
};

}  // namespace nunatak
