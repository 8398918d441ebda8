#pragma once

#include "nunatak/delta/checkpoint_file.h"
#include "nunatak/delta/log_replay.h"

namespace nunatak::delta {

/// Adds what a Parquet file of a checkpoint says beside its files. Throws `ErrorCode::kInvalid`
/// naming file and column.
void ReadCheckpointActions(CheckpointFile file, const Context& context, LogReplay* replay);

}  // namespace nunatak::delta
