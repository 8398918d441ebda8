#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "nunatak/inspect/verify/verify_content.h"

namespace nunatak {

/// Checks the rows of a position delete file: their order, and that the data files have them.
class PositionDeleteChecker {
 public:
  using RowsOf = std::function<std::optional<int64_t>(const std::string& path)>;

  explicit PositionDeleteChecker(RowsOf rows_of) : rows_of_(std::move(rows_of)) {}

  /// A batch that was read by `PositionDeleteRequest`.
  void Add(const arrow::RecordBatch& batch, int64_t first_row);
  void Report(FileReport* report) const;

 private:
  struct Place {
    int64_t row = 0;
    std::string path;
    int64_t position = 0;
    int64_t limit = 0;
  };

  void StartPath(const std::string& path);

  RowsOf rows_of_;
  std::string path_;
  int64_t position_ = -1;
  /// The rows of the data file of `path_`; absent when it is not live.
  std::optional<int64_t> limit_;
  std::optional<Place> unsorted_;
  std::optional<Place> beyond_;
};

/// Checks the blob of a deletion vector against its entry and its Puffin file's footer. Throws what
/// reading the footer throws.
void CheckDeletionVector(const ContentScope& scope, const DataFile& file, FileReport* report);

}  // namespace nunatak
