#pragma once

#include <arrow/type_fwd.h>

#include <filesystem>
#include <memory>
#include <string>

namespace nunatak::delta {

/// The columns of a checkpoint (specification, "Checkpoint Schema") for a table with a column `c`
/// of `type` and a partition column `k`.
std::shared_ptr<arrow::Schema> CheckpointSchema(const std::shared_ptr<arrow::DataType>& type);

/// Writes rows, given as a JSON array of objects, as a Parquet file.
void WriteCheckpoint(const std::filesystem::path& path,
                     const std::shared_ptr<arrow::Schema>& schema, const std::string& rows);

}  // namespace nunatak::delta
