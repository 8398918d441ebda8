#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/io/file_io.h"
#include "nunatak/table/data_file.h"
#include "nunatak/table/schema.h"

namespace nunatak::hive {

/// What a footer says of one leaf column over the whole file.
struct LeafBounds {
  /// Binary single values of the leaf's type; absent when any row group lacks one.
  std::optional<std::string> lower;
  std::optional<std::string> upper;
  std::optional<int64_t> nulls;
};

/// What the end of a data file (of Avro: its beginning) says of it.
struct FileFooter {
  FileFormat format = FileFormat::kParquet;
  /// `FieldsOf` its columns; shared by files that have the same.
  std::shared_ptr<const std::vector<Field>> columns;
  /// Of the leaves that lie in structs alone, in the order of `columns`, depth first.
  std::vector<LeafBounds> leaves;
  /// Null where only reading the file would tell (Avro).
  std::optional<int64_t> rows;
  /// Where its row groups or stripes begin.
  std::vector<int64_t> section_starts;
};

/// Reads the footer of a file that is not empty. The format is that of the name's ending, else that
/// of the first bytes. Throws `ErrorCode::kInvalid` for a file of no known format, and what opening
/// a file of the format throws; an error names the file.
NUNATAK_EXPORT FileFooter ReadFooter(FileIO& io, const Context& context, const FileInfo& file);

}  // namespace nunatak::hive
