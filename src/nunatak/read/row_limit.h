#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>
#include <memory>

namespace nunatak {

/// Counts rows down to a limit.
class RowLimit {
 public:
  /// −1 for no limit.
  explicit RowLimit(int64_t limit) : left_(limit) {}

  bool reached() const { return left_ == 0; }
  /// The batch, or its first rows when it goes beyond the limit.
  std::shared_ptr<arrow::RecordBatch> Cut(std::shared_ptr<arrow::RecordBatch> batch);

 private:
  int64_t left_;
};

}  // namespace nunatak
