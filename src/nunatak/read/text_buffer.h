#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>

namespace nunatak {

/// Text that is put together from many short pieces.
class TextBuffer {
 public:
  std::string_view view() const { return {data_.get(), size_}; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  void Append(std::string_view text) { Copy(text, Extend(text.size())); }
  void Append(char c) { *Extend(1) = c; }
  /// Where the caller writes `count` more characters.
  char* Extend(size_t count) {
    char* at = Room(count);
    size_ += count;
    return at;
  }
  /// Where the caller may write up to `most` more characters, and says how many came (`Added`).
  char* Room(size_t most) {
    if (most > capacity_ - size_) Grow(most);
    return data_.get() + size_;
  }
  void Added(size_t count) { size_ += count; }
  /// Forgets what comes after the first `size` characters.
  void Truncate(size_t size) { size_ = size; }
  void Clear() { size_ = 0; }

 private:
  /// Most pieces are so short that calling a function to copy them takes longer than copying.
  static void Copy(std::string_view text, char* to) {
    const size_t size = text.size();
    if (size > 16) {
      std::memcpy(to, text.data(), size);
    } else if (size >= 8) {
      std::memcpy(to, text.data(), 8);
      std::memcpy(to + size - 8, text.data() + size - 8, 8);
    } else {
      for (size_t i = 0; i < size; ++i) to[i] = text[i];
    }
  }

  void Grow(size_t count) {
    constexpr size_t kLeast = 256;
    capacity_ = std::max({kLeast, 2 * capacity_, size_ + count});
    // What is not written yet need not be cleared.
    std::unique_ptr<char[]> data(new char[capacity_]);
    std::copy_n(data_.get(), size_, data.get());
    data_ = std::move(data);
  }

  std::unique_ptr<char[]> data_;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace nunatak
