#include "nunatak/read/decode/thrift_reader.h"

#include <fmt/format.h>

#include "nunatak/base/error.h"

namespace nunatak {

namespace {

constexpr int kMaxDepth = 64;
constexpr uint64_t kManyItems = 15;

}  // namespace

int32_t ThriftReader::Int() {
  const int64_t number = Long();
  if (number != static_cast<int32_t>(number)) Fail("a number beyond 32 bits");
  return static_cast<int32_t>(number);
}

int64_t ThriftReader::Long() {
  const uint64_t number = Varint();
  return static_cast<int64_t>(number >> 1) ^ -static_cast<int64_t>(number & 1);
}

ThriftReader::Kind ThriftReader::NextField(int64_t* id) {
  const uint8_t head = Byte();
  const auto kind = static_cast<Kind>(head & 15);
  if (kind > Kind::kStruct) Fail("a value of no known kind");
  if (kind == Kind::kStop) return kind;
  const int64_t next = head >> 4 != 0 ? *id + (head >> 4) : Long();
  if (next != static_cast<int16_t>(next)) Fail("a field number beyond 16 bits");
  *id = next;
  return kind;
}

void ThriftReader::Skip(Kind kind, int depth) {
  if (depth > kMaxDepth) Fail("structs too deep in each other");
  switch (kind) {
    case Kind::kStop:
      Fail("a value of no known kind");
    case Kind::kTrue:
    case Kind::kFalse:
      return;  // a field's kind is its value
    case Kind::kByte:
      return SkipBytes(1);
    case Kind::kShort:
    case Kind::kInt:
    case Kind::kLong:
      Varint();
      return;
    case Kind::kDouble:
      return SkipBytes(sizeof(double));
    case Kind::kBinary:
      return SkipBytes(Varint());
    case Kind::kList:
    case Kind::kSet: {
      const uint8_t head = Byte();
      const uint64_t count = head >> 4 == kManyItems ? Varint() : head >> 4;
      return SkipItems(count, static_cast<Kind>(head & 15), depth + 1);
    }
    case Kind::kMap: {
      const uint64_t count = Varint();
      if (count == 0) return;
      const uint8_t kinds = Byte();
      for (uint64_t i = 0; i < count; ++i) {
        SkipItems(1, static_cast<Kind>(kinds >> 4), depth + 1);
        SkipItems(1, static_cast<Kind>(kinds & 15), depth + 1);
      }
      return;
    }
    case Kind::kStruct:
      return Struct([&](int64_t, Kind field) { Skip(field, depth + 1); });
  }
  Fail("a value of no known kind");
}

/// Items of a collection take a byte at least, so that their number is bounded by the bytes.
void ThriftReader::SkipItems(uint64_t count, Kind kind, int depth) {
  const bool is_boolean = kind == Kind::kTrue || kind == Kind::kFalse;
  if (is_boolean) return SkipBytes(count);
  for (uint64_t i = 0; i < count; ++i) Skip(kind, depth);
}

void ThriftReader::SkipBytes(uint64_t count) {
  if (count > bytes_.size() - position_) Fail("a value goes beyond the end");
  position_ += static_cast<size_t>(count);
}

uint8_t ThriftReader::Byte() {
  if (position_ == bytes_.size()) Fail("a value goes beyond the end");
  return bytes_[position_++];
}

uint64_t ThriftReader::Varint() {
  uint64_t number = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const uint8_t byte = Byte();
    number |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return number;
  }
  Fail("a number beyond 64 bits");
}

void ThriftReader::Fail(std::string_view problem) const {
  ThrowInvalid(fmt::format("malformed header: {}, at its byte {}", problem, position_));
}

}  // namespace nunatak
