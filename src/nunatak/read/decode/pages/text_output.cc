#include "nunatak/read/decode/pages/text_output.h"

#include <arrow/array/data.h>
#include <arrow/buffer.h>
#include <arrow/type.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/read/decode/pages/value_checks.h"

namespace nunatak {

namespace {

constexpr size_t kPrefix = sizeof(uint32_t);
/// Short texts are copied in pieces of this size, beyond their end: buffers have room for that.
constexpr size_t kPiece = 16;

[[noreturn]] void ThrowCutShort(size_t left) {
  ThrowInvalid(fmt::format("a text is cut short, {} bytes before the end of its page", left));
}

/// Takes one text with its length off the front of `plain`.
inline ByteSpan TakeText(ByteSpan* plain) {
  if (plain->size() >= kPrefix) {
    const size_t size = LoadLittleEndian<uint32_t>(plain->data());
    if (size <= plain->size() - kPrefix) {
      const ByteSpan text = plain->subspan(kPrefix, size);
      *plain = plain->subspan(kPrefix + size);
      return text;
    }
  }
  ThrowCutShort(plain->size());
}

/// `from` and `to` have `kPiece` bytes behind the text.
void CopyShort(uint8_t* to, const uint8_t* from, size_t size) {
  std::memcpy(to, from, kPiece);
  for (size_t i = kPiece; i < size; i += kPiece) std::memcpy(to + i, from + i, kPiece);
}

class TextOutput final : public ValueOutput {
 public:
  TextOutput(std::shared_ptr<arrow::DataType> type, std::shared_ptr<BufferPool> pool)
      : type_(std::move(type)), pool_(std::move(pool)) {}

  void SetDictionary(ByteSpan plain, int64_t count) override {
    dictionary_.assign(plain.size() + kPiece, 0);
    if (!plain.empty()) std::memcpy(dictionary_.data(), plain.data(), plain.size());
    entries_.clear();
    entries_.reserve(static_cast<size_t>(count));
    ByteSpan rest = ByteSpan(dictionary_).first(plain.size());
    longest_ = 0;
    for (int64_t i = 0; i < count; ++i) {
      entries_.push_back(TakeText(&rest));
      longest_ = std::max(longest_, entries_.back().size());
    }
  }

  void Start(int64_t rows) override {
    offsets_buffer_ = pool_->Allocate((rows + 1) * static_cast<int64_t>(sizeof(int32_t)));
    offsets_ = reinterpret_cast<int32_t*>(offsets_buffer_->mutable_data());
    offsets_[0] = 0;
    // What follows is likely to be as large as what came before.
    text_ = pool_->Allocate(static_cast<int64_t>(size_ + size_ / 8 + kPiece));
    rows_ = rows;
    row_ = 0;
    size_ = 0;
  }

  void AppendIndices(std::span<const uint32_t> indices) override {
    CheckIndices(indices, entries_.size());
    const ByteSpan* const entries = entries_.data();
    uint8_t* const text = Reserve(MostBytes(indices));
    int32_t* const ends = offsets_ + row_ + 1;
    size_t size = size_;
    for (size_t i = 0; i < indices.size(); ++i) {
      const ByteSpan entry = entries[indices[i]];
      CopyShort(text + size, entry.data(), entry.size());
      size += entry.size();
      ends[i] = static_cast<int32_t>(size);
    }
    row_ += indices.size();
    size_ = size;
  }

  void AppendPlain(int64_t count, ByteSpan* plain) override {
    // What is behind the prefixes is all that can be added.
    uint8_t* const text = Reserve(plain->size());
    ByteSpan rest = *plain;
    int32_t* const ends = offsets_ + row_ + 1;
    size_t size = size_;
    for (int64_t i = 0; i < count; ++i) {
      const ByteSpan added = TakeText(&rest);
      if (rest.size() >= kPiece) {
        CopyShort(text + size, added.data(), added.size());
      } else if (!added.empty()) {
        std::memcpy(text + size, added.data(), added.size());
      }
      size += added.size();
      ends[i] = static_cast<int32_t>(size);
    }
    *plain = rest;
    row_ += static_cast<size_t>(count);
    size_ = size;
  }

  void SkipPlain(int64_t count, ByteSpan* plain) const override {
    for (; count > 0; --count) TakeText(plain);
  }

  void Spread(std::span<const uint8_t> valid) override {
    size_t value = CountMarks(valid);
    const size_t first = row_ - value;
    for (size_t i = valid.size(); i-- > 0;) {
      offsets_[first + i + 1] = offsets_[first + value];
      if (valid[i] != 0) --value;
    }
    row_ = first + valid.size();
  }

  std::shared_ptr<arrow::ArrayData> Finish(std::shared_ptr<arrow::Buffer> validity,
                                           int64_t null_count) override {
    std::shared_ptr<arrow::Buffer> text =
        arrow::SliceBuffer(std::exchange(text_, nullptr), 0, static_cast<int64_t>(size_));
    return arrow::ArrayData::Make(
        type_, rows_, {std::move(validity), std::move(offsets_buffer_), std::move(text)},
        null_count);
  }

 private:
  /// What entries take at most: exactly, unless they are all short.
  size_t MostBytes(std::span<const uint32_t> indices) const {
    constexpr size_t kShort = 64;
    if (longest_ <= kShort) return longest_ * indices.size();
    size_t bytes = 0;
    for (const uint32_t index : indices) bytes += entries_[index].size();
    return bytes;
  }

  /// Makes room for `added` bytes more, and those that copying in pieces touches.
  uint8_t* Reserve(size_t added) {
    if (added > static_cast<size_t>(std::numeric_limits<int32_t>::max()) - size_) {
      ThrowUnsupported(fmt::format("a batch of {} rows has more than 2 GiB of text", rows_),
                       "read with a smaller batch size");
    }
    const auto needed = static_cast<int64_t>(size_ + added + kPiece);
    if (needed > text_->capacity()) {
      const std::shared_ptr<arrow::Buffer> larger = pool_->Allocate(needed);
      std::memcpy(larger->mutable_data(), text_->data(), size_);
      text_ = larger;
    }
    return text_->mutable_data();
  }

  std::shared_ptr<arrow::DataType> type_;
  std::shared_ptr<BufferPool> pool_;
  std::vector<uint8_t> dictionary_;
  std::vector<ByteSpan> entries_;
  size_t longest_ = 0;
  std::shared_ptr<arrow::Buffer> offsets_buffer_;
  /// Its capacity counts, not its size.
  std::shared_ptr<arrow::Buffer> text_;
  int32_t* offsets_ = nullptr;
  int64_t rows_ = 0;
  size_t row_ = 0;
  size_t size_ = 0;
};

}  // namespace

std::unique_ptr<ValueOutput> MakeTextOutput(std::shared_ptr<arrow::DataType> type,
                                            std::shared_ptr<BufferPool> pool) {
  return std::make_unique<TextOutput>(std::move(type), std::move(pool));
}

}  // namespace nunatak
