#pragma once

#include <cstdint>
#include <vector>

#include "nunatak/base/bytes.h"

namespace nunatak {

/// Reads the fields of a message in the encoding of protocol buffers, one after the other. Every
/// read is checked against the end; errors are `ErrorCode::kInvalid`.
class ProtobufReader {
 public:
  explicit ProtobufReader(ByteSpan message) : rest_(message) {}

  /// Goes to the next field; false at the end.
  bool Next();

  uint64_t field() const { return field_; }
  /// The value of a number; 0 of a field that is none.
  uint64_t number() const { return number_; }
  /// The value of a text, a message or packed numbers; empty of a field that is none.
  ByteSpan bytes() const { return bytes_; }
  /// The whole field, as it is in the message.
  ByteSpan raw() const { return raw_; }

 private:
  friend std::vector<uint64_t> PackedNumbers(ByteSpan bytes);

  uint64_t Varint();
  ByteSpan Take(uint64_t size);

  ByteSpan rest_;
  uint64_t field_ = 0;
  uint64_t number_ = 0;
  ByteSpan bytes_;
  ByteSpan raw_;
};

/// The numbers of a packed field.
std::vector<uint64_t> PackedNumbers(ByteSpan bytes);

}  // namespace nunatak
