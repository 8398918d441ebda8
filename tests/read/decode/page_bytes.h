#pragma once

#include <cstdint>
#include <string>

namespace nunatak {

/// Writes structs in Thrift's compact protocol.
class ThriftBytes {
 public:
  ThriftBytes& Int(int id, int64_t value) {
    Field(id, 5);
    Varint((static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63));
    return *this;
  }
  ThriftBytes& Struct(int id, const std::string& bytes) { return Raw(id, 12, bytes); }
  /// A field of any kind, whose value is `bytes`.
  ThriftBytes& Raw(int id, int kind, const std::string& bytes) {
    Field(id, kind);
    bytes_ += bytes;
    return *this;
  }
  std::string Stop() const { return bytes_ + '\0'; }

 private:
  void Field(int id, int kind) {
    bytes_ += static_cast<char>(((id - last_) << 4) | kind);
    last_ = id;
  }
  void Varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
  int last_ = 0;
};

enum class PageType { kData = 0, kIndex = 1, kDictionary = 2, kDataV2 = 3 };

/// The header of a page, plain but for its levels, which are runs.
inline std::string PageHeaderBytes(PageType type, int64_t inflated, int64_t stored,
                                   int64_t values) {
  constexpr int kPlain = 0;
  constexpr int kRle = 3;
  ThriftBytes header;
  header.Int(1, static_cast<int>(type)).Int(2, inflated).Int(3, stored);
  ThriftBytes own;
  own.Int(1, values);
  if (type == PageType::kDictionary) {
    header.Struct(7, own.Int(2, kPlain).Stop());
  } else {
    header.Struct(5, own.Int(2, kPlain).Int(3, kRle).Int(4, kRle).Stop());
  }
  return header.Stop();
}

}  // namespace nunatak
