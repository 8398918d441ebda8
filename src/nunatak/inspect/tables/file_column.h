#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "nunatak/inspect/tables/file_run.h"
#include "nunatak/table/type.h"

namespace nunatak {

/// Builds a column of files, some of them at a time: what a file has for every column lies
/// together, so columns are built side by side.
class FileColumn {
 public:
  virtual ~FileColumn() = default;
  /// Makes room for so many files.
  virtual void Reserve(int64_t files) = 0;
  virtual void Append(FileRun& run) = 0;
  /// An array of the column's Arrow type: call once.
  virtual std::shared_ptr<arrow::Array> Finish() = 0;
};

using FileColumnPtr = std::unique_ptr<FileColumn>;

/// A column of one builder, to which `append` appends a value for each file of a run.
FileColumnPtr MakeBuiltColumn(
    const Type& type, std::function<void(FileRun& run, arrow::ArrayBuilder& builder)> append);

/// A struct that is never null.
FileColumnPtr MakeStructColumn(const Type& type, std::vector<FileColumnPtr> fields);

}  // namespace nunatak
