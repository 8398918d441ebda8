#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/expr/bound_filter.h"
#include "nunatak/table/data_file.h"
#include "nunatak/table/partition_spec.h"

namespace nunatak {

/// A delete file with what scoped it.
struct NUNATAK_EXPORT DeleteFile {
  DataFile file;
  /// The data sequence number, after inheritance.
  int64_t data_sequence_number = 0;
};

/// One piece of work that leaves the planner: a range of one data file, the deletes that apply to
/// it, and what is left of the filter for it. It owns or shares what it points to: it outlives
/// plan, cache and table.
struct NUNATAK_EXPORT FileScanTask {
  std::shared_ptr<const DataFile> data_file;
  int64_t data_sequence_number = 0;
  /// The spec of `data_file->partition`: identity fields give the constants of columns that the
  /// file does not have.
  std::shared_ptr<const PartitionSpec> spec;
  /// Ascending by data sequence number and path; position deletes are absent when a deletion vector
  /// applies.
  std::vector<std::shared_ptr<const DeleteFile>> deletes;
  /// Bound to the schema that was planned with.
  std::shared_ptr<const BoundFilter> residual;
  /// The byte range of the file: a row group belongs to the range that holds its first byte.
  int64_t start = 0;
  int64_t length = 0;
};

}  // namespace nunatak
