#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "nunatak/base/bytes.h"
#include "nunatak/base/hash.h"

namespace nunatak::iceberg {

/// Builders of the byte layouts that the Roaring and Puffin specifications describe.

inline std::string Little(uint64_t value, int size) {
  std::string out;
  for (int i = 0; i < size; ++i) out.push_back(static_cast<char>(value >> (8 * i)));
  return out;
}

inline std::string BigEndian32(uint32_t value) {
  const std::string little = Little(value, 4);
  return std::string(little.rbegin(), little.rend());
}

/// One container: its key, its kind, and its content as the format stores it.
struct Container {
  uint16_t key = 0;
  uint32_t cardinality = 0;
  bool is_run = false;
  std::string content;
};

inline Container ArrayContainer(uint16_t key, const std::vector<uint16_t>& values) {
  Container container{key, static_cast<uint32_t>(values.size()), false, ""};
  for (const uint16_t value : values) container.content += Little(value, 2);
  return container;
}

/// The values 0, step, 2 × step, … below 65536.
inline Container BitsetContainer(uint16_t key, uint32_t step) {
  Container container{key, 0, false, std::string(8192, '\0')};
  for (uint32_t value = 0; value < 65536; value += step) {
    container.content[value / 8] = static_cast<char>(container.content[value / 8] | 1 << value % 8);
    ++container.cardinality;
  }
  return container;
}

/// Runs of {first, length}.
inline Container RunContainer(uint16_t key,
                              const std::vector<std::pair<uint32_t, uint32_t>>& runs) {
  Container container{key, 0, true, Little(runs.size(), 2)};
  for (const auto& [first, length] : runs) {
    container.content += Little(first, 2) + Little(length - 1, 2);
    container.cardinality += length;
  }
  return container;
}

inline std::string RoaringBytes(const std::vector<Container>& containers) {
  bool has_runs = false;
  for (const Container& container : containers) has_runs |= container.is_run;
  std::string out;
  if (has_runs) {
    out = Little(12347 | (containers.size() - 1) << 16, 4);
    std::string flags((containers.size() + 7) / 8, '\0');
    for (size_t i = 0; i < containers.size(); ++i) {
      if (containers[i].is_run) flags[i / 8] = static_cast<char>(flags[i / 8] | 1 << i % 8);
    }
    out += flags;
  } else {
    out = Little(12346, 4) + Little(containers.size(), 4);
  }
  for (const Container& container : containers) {
    out += Little(container.key, 2) + Little(container.cardinality - 1, 2);
  }
  const bool has_offsets = !has_runs || containers.size() >= 4;
  size_t offset = out.size() + (has_offsets ? 4 * containers.size() : 0);
  for (size_t i = 0; has_offsets && i < containers.size(); ++i) {
    out += Little(offset, 4);
    offset += containers[i].content.size();
  }
  for (const Container& container : containers) out += container.content;
  return out;
}

/// A deletion vector's blob around any vector bytes, with the right length and checksum.
inline std::string FrameVector(std::string_view vector) {
  const std::string body = std::string("\xD1\xD3\x39\x64", 4) + std::string(vector);
  return BigEndian32(static_cast<uint32_t>(body.size())) + body + BigEndian32(Crc32(AsBytes(body)));
}

/// The vector of {key, 32-bit bitmap} pairs, in the order given.
inline std::string VectorBytes(const std::vector<std::pair<uint32_t, std::string>>& bitmaps) {
  std::string out = Little(bitmaps.size(), 8);
  for (const auto& [key, bitmap] : bitmaps) out += Little(key, 4) + bitmap;
  return out;
}

/// A Puffin file of these blobs' bytes and this footer payload.
inline std::string PuffinBytes(std::string_view blobs, std::string_view payload,
                               uint32_t flags = 0) {
  return "PFA1" + std::string(blobs) + "PFA1" + std::string(payload) + Little(payload.size(), 4) +
         Little(flags, 4) + "PFA1";
}

}  // namespace nunatak::iceberg
