#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "nunatak/base/bytes.h"

namespace nunatak {

/// Reads values in the compact protocol of Thrift, in which Parquet's headers are written. Every
/// read is checked against the end; errors are `ErrorCode::kInvalid`.
class ThriftReader {
 public:
  /// As the protocol numbers them.
  enum class Kind : uint8_t {
    kStop,
    kTrue,
    kFalse,
    kByte,
    kShort,
    kInt,
    kLong,
    kDouble,
    kBinary,
    kList,
    kSet,
    kMap,
    kStruct,
  };

  explicit ThriftReader(ByteSpan bytes) : bytes_(bytes) {}

  /// Bytes that were read so far.
  size_t position() const { return position_; }

  /// Reads a struct: calls `body(id, kind)` for each field, which reads the value or skips it.
  template <typename Body>
  void Struct(Body&& body) {
    int64_t id = 0;
    for (Kind kind = NextField(&id); kind != Kind::kStop; kind = NextField(&id)) body(id, kind);
  }
  /// A number; one beyond 32 bits is an error.
  int32_t Int();
  void Skip(Kind kind) { Skip(kind, 0); }

 private:
  /// The next field of a struct, whose last one had the number `id`.
  Kind NextField(int64_t* id);
  void Skip(Kind kind, int depth);
  void SkipBytes(uint64_t count);
  void SkipItems(uint64_t count, Kind kind, int depth);
  uint8_t Byte();
  int64_t Long();
  uint64_t Varint();
  [[noreturn]] void Fail(std::string_view problem) const;

  ByteSpan bytes_;
  size_t position_ = 0;
};

}  // namespace nunatak
