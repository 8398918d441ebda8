#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/plan/file_scan_task.h"
#include "nunatak/plan/interval_index.h"
#include "nunatak/table/delete_columns.h"

namespace nunatak {

/// What the bounds of its path column say of the data files that a position delete file names;
/// views.
struct NUNATAK_EXPORT PathBounds {
  std::optional<std::string_view> lower;
  std::optional<std::string_view> upper;

  /// Whether a delete with these bounds may name `path`. A path that starts with the upper bound
  /// may be named although it is above it: some writers cut bounds without rounding the upper one
  /// up. An inverted range says nothing.
  bool Admit(std::string_view path) const;
};

/// The position delete files of one partition that do not say which one data file they are of.
class NUNATAK_EXPORT PositionDeletes {
 public:
  /// `paths` stays valid as long as this object.
  void Add(std::shared_ptr<const DeleteFile> file, PathBounds paths);
  /// To be called once, after the last `Add`.
  void Arrange();

  /// Appends those that are not older than the data file and whose path bounds admit it. Adds to
  /// `looked_at` how many were looked at.
  void AppendFor(std::string_view path, int64_t data_sequence_number,
                 std::vector<std::shared_ptr<const DeleteFile>>* out, int64_t* looked_at) const;

  int64_t memory_bytes() const;

 private:
  struct Entry {
    std::shared_ptr<const DeleteFile> file;
    PathBounds paths;
  };

  /// Ascending by sequence number.
  std::vector<Entry> entries_;
  /// Only for many files.
  IntervalIndex index_;
  SortedEnds<std::string_view> lowers_;
  SortedEnds<std::string_view> uppers_;
};

}  // namespace nunatak
