#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nunatak/base/bytes.h"

namespace nunatak {

/// Bytes as tests spell them out: numbers, and texts in between.
class VariantBytes {
 public:
  VariantBytes(std::initializer_list<int> bytes) {
    for (const int byte : bytes) bytes_.push_back(static_cast<uint8_t>(byte));
  }
  VariantBytes& Text(std::string_view text) {
    bytes_.insert(bytes_.end(), text.begin(), text.end());
    return *this;
  }
  VariantBytes& Bytes(const VariantBytes& more) {
    bytes_.insert(bytes_.end(), more.bytes_.begin(), more.bytes_.end());
    return *this;
  }
  ByteSpan span() const { return bytes_; }
  std::string text() const { return std::string(AsText(bytes_)); }

 private:
  std::vector<uint8_t> bytes_;
};

/// The metadata of a variant without objects: version 1, no names.
inline const VariantBytes kNoNames = {0x01, 0x00, 0x00};

}  // namespace nunatak
