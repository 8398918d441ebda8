#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "nunatak/base/context.h"
#include "nunatak/io/file_io.h"

namespace nunatak::delta {

/// The names of a column of a checkpoint, from the top down.
using ColumnPath = std::vector<std::string>;

/// A Parquet file of a checkpoint, of which some columns are read. What Parquet makes of a damaged
/// file is an `Error` that names it. Used by one thread at a time.
class CheckpointFile {
 public:
  /// Opens the file: its footer is fetched. A `size` of 0 is asked of the storage.
  CheckpointFile(FileIO& io, const Context& context, std::string location, int64_t size);
  ~CheckpointFile();
  CheckpointFile(CheckpointFile&&) noexcept;
  CheckpointFile& operator=(CheckpointFile&&) noexcept;

  /// Chooses a column with all that is nested in it; false when the file has none of that name.
  bool Select(const ColumnPath& path);
  /// Whether, by the file's own counts, the second column has a value in every row in which the
  /// first has one. False when the counts do not tell.
  bool HasValuesWherever(const ColumnPath& first, const ColumnPath& second) const;

  /// Fetches the chosen columns. With `any_value`, row groups in which all of them are null, by the
  /// file's own counts, are left out.
  void Fetch(const Context& context, bool any_value = false);
  /// The next rows of the chosen columns; null at the end.
  std::shared_ptr<arrow::RecordBatch> Next();

  const std::string& location() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nunatak::delta
