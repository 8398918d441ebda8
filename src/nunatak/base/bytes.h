#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nunatak/base/export.h"

namespace nunatak {

static_assert(std::endian::native == std::endian::little, "nunatak supports little-endian hosts");

using ByteSpan = std::span<const uint8_t>;

/// Immutable bytes with shared ownership: what a `FileIO` hands out, and what tasks keep alive.
struct Buffer {
  ByteSpan bytes;
  std::shared_ptr<const void> owner;

  /// Takes ownership of `data`.
  static Buffer From(std::vector<uint8_t> data) {
    auto owned = std::make_shared<const std::vector<uint8_t>>(std::move(data));
    return Buffer{ByteSpan(*owned), owned};
  }
  size_t size() const { return bytes.size(); }
};

inline std::string_view AsText(ByteSpan bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline ByteSpan AsBytes(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

/// Reads a trivially copyable little-endian value; the caller has checked that the bytes exist.
template <typename T>
T LoadLittleEndian(const uint8_t* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

/// Upper-case hexadecimal digits, two per byte.
NUNATAK_EXPORT std::string ToHex(ByteSpan bytes);

/// The bytes of pairs of hexadecimal digits, upper or lower case; nullopt when the text is anything
/// else.
NUNATAK_EXPORT std::optional<std::string> ParseHex(std::string_view text);

/// The 16 bytes of a UUID in its usual form with hyphens; nullopt when the text is anything else.
NUNATAK_EXPORT std::optional<std::string> ParseUuid(std::string_view text);

/// The longest prefix of `bytes` that is valid UTF-8 (a bound may be cut inside a character).
NUNATAK_EXPORT std::string_view ValidUtf8Prefix(std::string_view bytes);

}  // namespace nunatak
