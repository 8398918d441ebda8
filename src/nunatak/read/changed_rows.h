#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "nunatak/table/change_columns.h"

namespace nunatak {

/// What happened to a row.
struct RowMark {
  ChangeType type = ChangeType::kInsert;
  /// By which snapshot: its number among those that are told of.
  int32_t snapshot = 0;

  bool deletes() const { return type == ChangeType::kDelete || type == ChangeType::kUpdateBefore; }
};

/// Rows, each with what happened to it.
struct ChangedRows {
  std::shared_ptr<arrow::RecordBatch> batch;
  /// One for each row.
  std::vector<RowMark> marks;
};

/// A row among several batches.
struct RowRef {
  uint32_t batch = 0;
  uint32_t row = 0;

  friend auto operator<=>(const RowRef&, const RowRef&) = default;
};

/// A source of changed rows; for one thread.
class ChangedRowsStream {
 public:
  virtual ~ChangedRowsStream() = default;
  /// At least one row; nullopt at the end.
  virtual std::optional<ChangedRows> Next() = 0;
};

/// The rows of several sources, one after the other.
std::unique_ptr<ChangedRowsStream> OneAfterOther(
    std::vector<std::unique_ptr<ChangedRowsStream>> streams);

/// The rows that `refs` name, in that order.
ChangedRows GatherRows(const std::vector<ChangedRows>& from, std::span<const RowRef> refs);

}  // namespace nunatak
