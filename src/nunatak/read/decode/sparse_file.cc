#include "nunatak/read/decode/sparse_file.h"

#include <arrow/buffer.h>
#include <arrow/result.h>
#include <arrow/status.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace nunatak {

namespace {

/// A part of fetched bytes, which it keeps alive.
class SharedBytes final : public arrow::Buffer {
 public:
  SharedBytes(ByteSpan bytes, std::shared_ptr<const void> owner)
      : arrow::Buffer(bytes.data(), static_cast<int64_t>(bytes.size())), owner_(std::move(owner)) {}

 private:
  std::shared_ptr<const void> owner_;
};

}  // namespace

void SparseFile::Add(int64_t offset, Buffer bytes) {
  ranges_.insert_or_assign(offset, std::move(bytes));
}

Buffer SparseFile::From(int64_t offset) const {
  auto range = ranges_.upper_bound(offset);
  if (range == ranges_.begin()) return {};
  --range;
  const auto skipped = static_cast<size_t>(offset - range->first);
  if (skipped > range->second.size()) return {};
  return {range->second.bytes.subspan(skipped), range->second.owner};
}

void SparseFile::Replace(int64_t offset, Buffer bytes) {
  auto range = ranges_.upper_bound(offset);
  if (range != ranges_.begin()) {
    --range;
    Buffer& before = range->second;
    before.bytes =
        before.bytes.first(std::min(before.size(), static_cast<size_t>(offset - range->first)));
  }
  Add(offset, std::move(bytes));
}

arrow::Status SparseFile::Close() {
  closed_ = true;
  return arrow::Status::OK();
}

arrow::Status SparseFile::Seek(int64_t position) {
  position_ = position;
  return arrow::Status::OK();
}

arrow::Result<std::shared_ptr<arrow::Buffer>> SparseFile::ReadAt(int64_t position, int64_t length) {
  auto range = ranges_.upper_bound(position);
  if (range != ranges_.begin()) {
    --range;
    const int64_t available = static_cast<int64_t>(range->second.size());
    const int64_t skipped = position - range->first;
    if (length >= 0 && skipped <= available && length <= available - skipped) {
      const ByteSpan bytes =
          range->second.bytes.subspan(static_cast<size_t>(skipped), static_cast<size_t>(length));
      return std::make_shared<SharedBytes>(bytes, range->second.owner);
    }
  }
  return arrow::Status::IOError("bytes ", position, "+", length, " were not fetched");
}

arrow::Result<int64_t> SparseFile::ReadAt(int64_t position, int64_t length, void* out) {
  ARROW_ASSIGN_OR_RAISE(const std::shared_ptr<arrow::Buffer> bytes, ReadAt(position, length));
  if (bytes->size() > 0) std::memcpy(out, bytes->data(), static_cast<size_t>(bytes->size()));
  return bytes->size();
}

arrow::Result<std::shared_ptr<arrow::Buffer>> SparseFile::Read(int64_t length) {
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> bytes, ReadAt(position_, length));
  position_ += length;
  return bytes;
}

arrow::Result<int64_t> SparseFile::Read(int64_t length, void* out) {
  ARROW_ASSIGN_OR_RAISE(const int64_t read, ReadAt(position_, length, out));
  position_ += read;
  return read;
}

}  // namespace nunatak
