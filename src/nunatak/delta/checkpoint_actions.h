#pragma once

#include "nunatak/base/context.h"
#include "nunatak/delta/log_file.h"
#include "nunatak/delta/log_replay.h"
#include "nunatak/delta/table.h"

namespace nunatak::delta {

/// Adds what a Parquet file of a checkpoint says beside its files. Throws `ErrorCode::kInvalid`
/// naming file and column.
void ReadCheckpointActions(const Table& table, const Context& context, const LogFile& log_file,
                           LogReplay* replay);

}  // namespace nunatak::delta
