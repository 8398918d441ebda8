#include "nunatak/read/decode/protobuf_reader.h"

#include <fmt/format.h>

#include "nunatak/base/error.h"

namespace nunatak {

bool ProtobufReader::Next() {
  if (rest_.empty()) return false;
  const ByteSpan before = rest_;
  number_ = 0;
  bytes_ = {};
  const uint64_t key = Varint();
  field_ = key >> 3;
  switch (key & 7) {
    case 0:
      number_ = Varint();
      break;
    case 1:
      number_ = LoadLittleEndian<uint64_t>(Take(sizeof(uint64_t)).data());
      break;
    case 2:
      bytes_ = Take(Varint());
      break;
    case 5:
      number_ = LoadLittleEndian<uint32_t>(Take(sizeof(uint32_t)).data());
      break;
    default:
      ThrowInvalid(
          fmt::format("malformed message: field {} has the unknown kind {}", field_, key & 7));
  }
  raw_ = before.first(before.size() - rest_.size());
  return true;
}

std::vector<uint64_t> PackedNumbers(ByteSpan bytes) {
  std::vector<uint64_t> numbers;
  for (ProtobufReader in(bytes); !in.rest_.empty();) numbers.push_back(in.Varint());
  return numbers;
}

uint64_t ProtobufReader::Varint() {
  uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const uint8_t byte = Take(1)[0];
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  ThrowInvalid("malformed message: a number beyond 64 bits");
}

ByteSpan ProtobufReader::Take(uint64_t size) {
  if (size > rest_.size()) ThrowInvalid("malformed message: a field goes beyond its end");
  const ByteSpan taken = rest_.first(static_cast<size_t>(size));
  rest_ = rest_.subspan(static_cast<size_t>(size));
  return taken;
}

}  // namespace nunatak
