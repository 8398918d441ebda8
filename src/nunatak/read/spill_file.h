#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "nunatak/read/changed_rows.h"

namespace nunatak {

/// Changed rows in a temporary file, which has no name and so is gone when this is, or the process.
/// Written once, then read once. Throws `ErrorCode::kIo` when the file cannot be made or written.
class SpillFile {
 public:
  explicit SpillFile(std::shared_ptr<arrow::Schema> schema);
  ~SpillFile();
  SpillFile(SpillFile&&) noexcept;

  void Write(const ChangedRows& rows);
  /// About what the rows take in memory.
  int64_t bytes() const;
  /// Everything that was written, in order.
  std::unique_ptr<ChangedRowsStream> Read();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nunatak
