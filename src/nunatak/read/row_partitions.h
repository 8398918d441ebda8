#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "nunatak/read/changed_rows.h"
#include "nunatak/read/row_key.h"
#include "nunatak/read/spill_file.h"

namespace nunatak {

/// Changed rows on their way to where equal keys meet. As long as they fit into memory there is one
/// partition of them; beyond that they go to temporary files, each with some of the keys, and a
/// file that does not fit either is parted again. Rows of one key always meet in one partition,
/// even if they alone do not fit. For one thread.
class RowPartitions {
 public:
  /// Where they may go and what they may take.
  struct Options {
    RowKey key;
    std::shared_ptr<arrow::Schema> schema;
    /// Bytes of the batches that are in memory at once.
    int64_t memory = 0;
    /// How often they were parted already.
    int level = 0;
  };
  explicit RowPartitions(Options options) : options_(std::move(options)) {}

  void Add(ChangedRows rows);
  /// After the last `Add`: the rows of the next partition, in the order in which they were added;
  /// nullopt at the end.
  std::optional<std::vector<ChangedRows>> Next();

 private:
  void Spill(const ChangedRows& rows);
  void SpillAll();
  std::optional<std::vector<ChangedRows>> NextFile();

  Options options_;
  std::vector<ChangedRows> rows_;
  int64_t bytes_ = 0;
  /// Empty unless the rows did not fit.
  std::deque<SpillFile> files_;
  /// The first of the files, parted again.
  std::unique_ptr<RowPartitions> parts_;
};

}  // namespace nunatak
