#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "nunatak/base/export.h"

struct roaring_bitmap_s;

namespace nunatak::iceberg {

/// A set of row positions of one data file: those that deletes remove. Positions run from 0 to
/// 2^63 − 1 and are kept as one compressed bitmap per upper half. Movable; reading is thread-safe
/// once nothing is added any more.
class NUNATAK_EXPORT PositionSet {
 public:
  PositionSet();
  ~PositionSet();
  PositionSet(PositionSet&&) noexcept;
  PositionSet& operator=(PositionSet&&) noexcept;

  /// Throws `ErrorCode::kInvalid` for a negative position; adding one again changes nothing.
  void Add(int64_t position);
  /// Adds positions in any order; fastest when they are sorted.
  void AddAll(std::span<const int64_t> positions);
  /// Adds the positions of another set.
  void AddAll(const PositionSet& other);

  bool Contains(int64_t position) const;
  bool empty() const { return bitmaps_.empty(); }
  int64_t cardinality() const;
  /// About what the set holds in memory.
  int64_t memory_bytes() const;
  /// The positions in [begin, end), ascending.
  std::vector<int64_t> InRange(int64_t begin, int64_t end) const;
  /// The least `count` positions that are not below `begin`, ascending.
  std::vector<int64_t> From(int64_t begin, size_t count) const;
  /// Sets `mask[i]` to 1 for each position `begin + i` in the set, and leaves the others.
  void MarkRange(int64_t begin, std::span<uint8_t> mask) const;

 private:
  friend class DeletionVectorParser;

  struct Free {
    void operator()(roaring_bitmap_s* bitmap) const;
  };
  /// The low halves of the positions whose high half is `key`; never empty.
  struct Part {
    uint32_t key;
    std::unique_ptr<roaring_bitmap_s, Free> bitmap;
  };

  roaring_bitmap_s* BitmapOf(uint32_t key);
  /// Calls `visit(position)` for the positions in [begin, end), ascending, as long as it returns
  /// true.
  template <typename Visit>
  void VisitRange(int64_t begin, int64_t end, Visit visit) const;

  std::vector<Part> bitmaps_;  ///< Ascending by key.
};

}  // namespace nunatak::iceberg
