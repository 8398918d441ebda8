#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "nunatak/base/context.h"
#include "nunatak/delta/checkpoint_columns.h"
#include "nunatak/io/file_io.h"
#include "nunatak/read/decode/row_selection.h"

namespace nunatak::delta {

/// The names of a column of a checkpoint, from the top down.
using ColumnPath = std::vector<std::string>;

/// A Parquet file of a checkpoint, of which some columns are read: each part of an action by
/// itself, and for some rows alone where no others are wanted. What Parquet makes of a damaged file
/// is an `Error` that names it. Used by one thread at a time.
class CheckpointFile {
 public:
  /// Opens the file: its footer is fetched. A `size` of 0 is asked of the storage. Rows are read
  /// `batch_rows` at a time, or fewer where they are large.
  CheckpointFile(FileIO& io, const Context& context, std::string location, int64_t size,
                 int64_t batch_rows = 4096);
  ~CheckpointFile();
  CheckpointFile(CheckpointFile&&) noexcept;
  CheckpointFile& operator=(CheckpointFile&&) noexcept;

  /// Whether there is such a column. Columns are asked about and chosen before `Fetch`.
  bool Has(const ColumnPath& path) const;
  /// Chooses a column with all that is nested in it; false when the file has none of that name.
  bool Select(const ColumnPath& path);
  /// Whether, by the file's own counts, the second column has a value in every row in which the
  /// first has one. False when the counts do not tell.
  bool HasValuesWherever(const ColumnPath& first, const ColumnPath& second) const;
  /// In how many rows the column has a value, by the file's own counts; absent when they do not
  /// tell, or it is no single value. None where there is no such column.
  std::optional<int64_t> ValuesOf(const ColumnPath& path) const;

  /// Fetches the chosen columns. With `any_value`, row groups in which all of them are null, by the
  /// file's own counts, are left out.
  void Fetch(const Context& context, bool any_value = false);
  /// Goes to the next rows, and says how many these are; 0 at the end.
  int64_t Next();
  /// Those of the rows at hand that are selected, of a chosen column that is no struct; once for
  /// each. A column that does not exist when none of that name was chosen, or it is a struct.
  CheckpointColumn Read(const ColumnPath& path, const RowSelection& rows);

  const std::string& location() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nunatak::delta
