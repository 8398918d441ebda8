#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace nunatak {

/// What a file records of the values of one leaf column over one of its sections.
struct LeafStats {
  /// Binary single values (specification, Appendix D) of the type that the leaf has in the file;
  /// absent when none is recorded, or none that can be trusted. NaN is not among what they bound.
  std::optional<std::string> lower_bound = std::nullopt;
  std::optional<std::string> upper_bound = std::nullopt;
  /// −1 when not recorded. Values whose parent is null count as null.
  int64_t null_count = -1;
};

/// A section (a row group, a stripe) before anything of it is fetched.
class SectionStats {
 public:
  virtual ~SectionStats() = default;
  virtual int64_t rows() const = 0;
  /// `leaf` is a `FileField::leaf` that is not inside a list or map.
  virtual LeafStats Of(int leaf) const = 0;
};

}  // namespace nunatak
