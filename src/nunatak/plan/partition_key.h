#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "nunatak/base/export.h"
#include "nunatak/plan/file_batch.h"
#include "nunatak/table/value.h"

namespace nunatak {

/// Appends bytes that are equal for two partition tuples exactly when the specification calls the
/// partitions equal (Scan Planning, notes 3 and 4): same spec, and per field both null or the same
/// value, where reals compare by their bits with all NaNs alike, so that −0.0 and 0.0 are different
/// partitions. Throws `ErrorCode::kInvalid` for nested values, which no transform yields.
NUNATAK_EXPORT void AppendPartitionKey(int32_t spec_id, std::span<const Value> partition,
                                       std::string* key);
/// The same of a partition tuple of a batch.
NUNATAK_EXPORT void AppendPartitionKey(const FileBatch& batch, size_t tuple, std::string* key);

}  // namespace nunatak
