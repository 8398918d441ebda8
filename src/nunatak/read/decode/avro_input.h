#pragma once

#include <cstdint>
#include <string_view>

#include "nunatak/avro/decoder.h"
#include "nunatak/avro/varint.h"
#include "nunatak/base/bytes.h"

namespace nunatak {

/// Reads the encoded values of an inflated block, one after the other. Every read is checked
/// against the end; errors are `ErrorCode::kInvalid` and name the byte, counted from the block's
/// start.
class AvroInput {
 public:
  AvroInput() = default;
  explicit AvroInput(ByteSpan bytes)
      : begin_(bytes.data()), at_(begin_), end_(begin_ + bytes.size()) {}

  int64_t position() const { return at_ - begin_; }
  bool AtEnd() const { return at_ == end_; }
  /// How many of the bytes so far were passed over by `Skip`.
  int64_t skipped() const { return skipped_; }

  int64_t Long() {
    if (at_ != end_ && *at_ < 0x80) return avro::ZigZag(*at_++);
    return LongOfManyBytes();
  }
  int32_t Int();
  bool Boolean();
  /// Little-endian, as floats and doubles are.
  template <typename T>
  T Number() {
    return LoadLittleEndian<T>(Bytes(sizeof(T)).data());
  }
  ByteSpan Bytes(int64_t size) {
    if (size < 0 || size > end_ - at_) FailSize(size);
    const ByteSpan bytes(at_, static_cast<size_t>(size));
    at_ += size;
    return bytes;
  }
  /// A string or bytes.
  std::string_view Sized() {
    const int64_t size = Long();
    return AsText(Bytes(size));
  }
  /// How many items the next block of an array or map has; 0 at its end.
  int64_t ItemCount();
  /// Passes over what `program` skips.
  void Skip(const avro::Programs& programs, uint32_t program) {
    const uint8_t* start = at_;
    at_ = avro::Decoder(programs, nullptr, begin_, end_).Skip(program, at_);
    skipped_ += at_ - start;
  }

  [[noreturn]] void Fail(std::string_view problem) const;

 private:
  int64_t LongOfManyBytes();
  [[noreturn]] void FailSize(int64_t size) const;

  const uint8_t* begin_ = nullptr;
  const uint8_t* at_ = nullptr;
  const uint8_t* end_ = nullptr;
  int64_t skipped_ = 0;
};

}  // namespace nunatak
