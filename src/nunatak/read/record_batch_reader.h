#pragma once

#include <arrow/type_fwd.h>

#include <functional>
#include <memory>

#include "nunatak/base/export.h"
#include "nunatak/read/table_reader.h"

struct ArrowArrayStream;

namespace nunatak {

/// The rest of a scan as Arrow's own interface to a stream of batches. Errors become an
/// `arrow::Status` with the message and the hint: "invalid" for data, "not implemented" for what is
/// not supported, "cancelled", and "I/O error" for all else.
NUNATAK_EXPORT std::shared_ptr<arrow::RecordBatchReader> ToRecordBatchReader(TableReader reader);

/// Gives the next batch, null after the last one; throws `Error`.
using NextBatch = std::function<std::shared_ptr<arrow::RecordBatch>()>;

/// The same for any source of batches. Closing the stream destroys `next`.
NUNATAK_EXPORT std::shared_ptr<arrow::RecordBatchReader> ToRecordBatchReader(
    std::shared_ptr<arrow::Schema> schema, NextBatch next);

/// The rest of a scan through the Arrow C stream interface, for any library that knows it, in this
/// process; nested columns as the others. `out` is released by whoever takes it, and until then
/// holds all that the scan needs.
NUNATAK_EXPORT void ExportStream(TableReader reader, ArrowArrayStream* out);

}  // namespace nunatak
