#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace nunatak {

/// What a file records of the values of one leaf column over one of its sections.
struct LeafStats {
  /// Binary single values (specification, Appendix D) of the type that the leaf has in the file;
  /// absent when none is recorded, or none that can be trusted. NaN is not among what they bound.
  std::optional<std::string> lower_bound = std::nullopt;
  std::optional<std::string> upper_bound = std::nullopt;
  /// −1 when not recorded. Values whose parent is null count as null.
  int64_t null_count = -1;
  /// How many rows that is recorded of, where it is more than the section; −1 for the section's.
  int64_t value_count = -1;
};

/// A section (a row group, a stripe), or a piece of one, before anything of it is fetched.
class SectionStats {
 public:
  virtual ~SectionStats() = default;
  virtual int64_t rows() const = 0;
  /// `leaf` is a `FileField::leaf` that is not inside a list or map.
  virtual LeafStats Of(int leaf) const = 0;
};

/// Which sections, and pieces of them, may hold a row that is wanted.
struct SectionFilter {
  /// Null when all may.
  std::function<bool(const SectionStats&)> may_match = nullptr;
  /// The leaves that it asks about.
  std::vector<int> leaves = {};
};

/// The pages of the leaves that a filter asks about, and those of them that hold a row that may
/// match, in the sections that do by their own statistics and record something of their pages.
struct PageCounts {
  int64_t pages = 0;
  int64_t kept_pages = 0;
  /// As stored.
  int64_t bytes = 0;
  int64_t kept_bytes = 0;
  int64_t rows = 0;
  int64_t kept_rows = 0;
};

}  // namespace nunatak
