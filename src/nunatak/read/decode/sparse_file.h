#pragma once

#include <arrow/io/interfaces.h>
#include <arrow/result.h>

#include <cstdint>
#include <map>
#include <memory>

#include "nunatak/base/bytes.h"

namespace nunatak {

/// A file of which only some ranges are here, as Arrow's reader sees it. Reading anything else is
/// an error: whoever decodes has named what it needs.
class SparseFile final : public arrow::io::RandomAccessFile {
 public:
  explicit SparseFile(int64_t size) : size_(size) {}

  /// Makes the bytes at `offset` readable.
  void Add(int64_t offset, Buffer bytes);
  /// What is readable from `offset` on, to the end of what was added with it; empty when nothing.
  Buffer From(int64_t offset) const;
  /// Puts `bytes` in the place of all of `From(offset)`.
  void Replace(int64_t offset, Buffer bytes);
  /// Forgets all bytes; what Arrow still uses stays alive.
  void Clear() { ranges_.clear(); }

  arrow::Status Close() override;
  bool closed() const override { return closed_; }
  arrow::Result<int64_t> Tell() const override { return position_; }
  arrow::Status Seek(int64_t position) override;
  arrow::Result<int64_t> GetSize() override { return size_; }
  arrow::Result<int64_t> Read(int64_t length, void* out) override;
  arrow::Result<std::shared_ptr<arrow::Buffer>> Read(int64_t length) override;
  arrow::Result<int64_t> ReadAt(int64_t position, int64_t length, void* out) override;
  arrow::Result<std::shared_ptr<arrow::Buffer>> ReadAt(int64_t position, int64_t length) override;

 private:
  using arrow::io::RandomAccessFile::ReadAt;

  int64_t size_;
  int64_t position_ = 0;
  bool closed_ = false;
  /// By offset.
  std::map<int64_t, Buffer> ranges_;
};

}  // namespace nunatak
