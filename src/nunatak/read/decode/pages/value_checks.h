#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "nunatak/base/bytes.h"
#include "nunatak/base/error.h"

namespace nunatak {

/// Throws `ErrorCode::kInvalid` for an index beyond a dictionary of so many entries.
inline void CheckIndices(std::span<const uint32_t> indices, size_t entries) {
  uint32_t highest = 0;
  for (const uint32_t index : indices) highest = std::max(highest, index);
  if (highest < entries || indices.empty()) return;
  ThrowInvalid(fmt::format("index {} into a dictionary of {} entries", highest, entries));
}

/// Throws `ErrorCode::kInvalid` when `plain` holds fewer than `count` values of `width` bytes.
inline void CheckPlainFixed(int64_t count, size_t width, ByteSpan plain) {
  if (static_cast<uint64_t>(count) <= plain.size() / width) return;
  ThrowInvalid(
      fmt::format("{} bytes in a page, where {} values take {} each", plain.size(), count, width));
}

inline size_t CountMarks(std::span<const uint8_t> marks) {
  return marks.size() - static_cast<size_t>(std::count(marks.begin(), marks.end(), uint8_t{0}));
}

}  // namespace nunatak
