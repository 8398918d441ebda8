#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "nunatak/base/bytes.h"

namespace nunatak {

/// Appends a number as Avro writes a long: zig-zag, seven bits a byte, the lowest first.
void AppendLong(int64_t value, std::string* out);
/// Appends a length and the bytes.
void AppendText(std::string_view text, std::string* out);

/// Reads what the functions above wrote. Every error is `ErrorCode::kInvalid`, and starts with the
/// offset of the byte that it is about. Does not own the bytes.
class TaskBytesReader {
 public:
  /// `offset`: where `bytes` start in the input, for messages.
  explicit TaskBytesReader(ByteSpan bytes, size_t offset = 0)
      : begin_(bytes.data()), at_(begin_), end_(begin_ + bytes.size()), offset_(offset) {}

  size_t remaining() const { return static_cast<size_t>(end_ - at_); }
  /// Of the next byte, in the input.
  size_t offset() const { return offset_ + static_cast<size_t>(at_ - begin_); }

  uint8_t Byte();
  int64_t Long();
  /// A long from `least` to `most`.
  int64_t LongIn(int64_t least, int64_t most, std::string_view what);
  int32_t Int32(std::string_view what);
  /// A number of items that take `item_bytes` or more each: so many must be left.
  size_t Count(size_t item_bytes, std::string_view what);
  ByteSpan Bytes(size_t size, std::string_view what);
  std::string_view Text(std::string_view what);
  /// Everything must have been read.
  void ExpectEnd(std::string_view what) const;

  /// Throws an error about the next byte.
  [[noreturn]] void Fail(std::string_view message) const { FailAt(offset(), message); }
  [[noreturn]] static void FailAt(size_t offset, std::string_view message);

 private:
  const uint8_t* begin_;
  const uint8_t* at_;
  const uint8_t* end_;
  size_t offset_;
};

}  // namespace nunatak
