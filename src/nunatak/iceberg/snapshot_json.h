#pragma once

#include "nunatak/base/json.h"
#include "nunatak/iceberg/table_metadata.h"

namespace nunatak::iceberg {

/// The parts of table metadata that concern snapshots (specification, Appendix C). Each throws
/// `ErrorCode::kInvalid` with the path inside the JSON.

/// Refuses snapshots whose manifest list is encrypted (`key-id`).
Snapshot SnapshotFromJson(Json json);
SnapshotRef SnapshotRefFromJson(Json json);
StatisticsFile StatisticsFileFromJson(Json json);
PartitionStatisticsFile PartitionStatisticsFileFromJson(Json json);

/// An object of strings; numbers and booleans, which some writers put there, become their text, and
/// nulls are left out.
StringMap StringMapFromJson(Json json);
/// The map at `key`, empty when it is absent.
StringMap FindStringMap(const JsonObject& object, std::string_view key);
/// The list of 32-bit integers at `key`, empty when it is absent.
std::vector<int32_t> FindInt32List(const JsonObject& object, std::string_view key);

}  // namespace nunatak::iceberg
