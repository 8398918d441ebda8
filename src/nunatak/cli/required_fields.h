#pragma once

#include <arrow/type_fwd.h>

#include <memory>

namespace nunatak::cli {

/// The same rows, in which a required field of a null struct is not null: there is no value there
/// either way, but Arrow's writer of Parquet takes the null for one that must not be. A null in a
/// required field of a struct that is there stays.
std::shared_ptr<arrow::RecordBatch> WithoutNullsBelowNulls(const arrow::RecordBatch& batch);

}  // namespace nunatak::cli
