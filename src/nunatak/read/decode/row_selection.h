#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nunatak/base/export.h"

namespace nunatak {

/// Rows [begin, end).
struct RowRange {
  int64_t begin = 0;
  int64_t end = 0;

  int64_t size() const { return end - begin; }
  friend bool operator==(const RowRange&, const RowRange&) = default;
};

/// Some of the rows that follow each other in a file, by their numbers among these.
class NUNATAK_EXPORT RowSelection {
 public:
  /// All of `total` rows.
  static RowSelection All(int64_t total);
  /// Those whose mark in `dropped` is 0.
  static RowSelection Without(std::span<const uint8_t> dropped);

  /// The rows of the selection whose mark in `dropped`, which has one for each of them, is 0.
  RowSelection Narrowed(std::span<const uint8_t> dropped) const;

  /// Rows to select from.
  int64_t total() const { return total_; }
  /// Selected rows.
  int64_t count() const { return count_; }
  bool is_all() const { return count_ == total_; }
  /// Whether it is in so many pieces that it takes longer to decode them one by one than all rows.
  bool is_fragmented() const { return static_cast<int64_t>(ranges_.size()) > total_ / 16; }
  /// Ascending, neither empty nor adjacent.
  const std::vector<RowRange>& ranges() const { return ranges_; }

 private:
  void Append(RowRange range);

  int64_t total_ = 0;
  int64_t count_ = 0;
  std::vector<RowRange> ranges_;
};

}  // namespace nunatak
