#pragma once

#include <cstdint>
#include <string_view>

#include "nunatak/base/export.h"
#include "nunatak/table/schema.h"

namespace nunatak {

/// What happened to a row between two snapshots.
enum class ChangeType : uint8_t { kInsert, kDelete, kUpdateBefore, kUpdateAfter };

/// "insert", "delete", "update_before", "update_after".
NUNATAK_EXPORT std::string_view ToString(ChangeType type);

/// The columns of changes beside the table's own, by their field ids (specification, "Reserved
/// Field IDs").

/// `_change_type`, required string.
inline constexpr int32_t kChangeTypeColumnId = 2147483543;
/// `_change_ordinal`, required int: the number of the change's snapshot among those of the range,
/// from 0.
inline constexpr int32_t kChangeOrdinalColumnId = 2147483542;
/// `_commit_snapshot_id`, required long: the snapshot that made the change.
inline constexpr int32_t kCommitSnapshotColumnId = 2147483541;

NUNATAK_EXPORT bool IsChangeColumn(int32_t field_id);

/// A schema, possibly with metadata columns, with the columns of changes behind its own; without
/// `_deleted`, which rows of changes do not have. Throws `ErrorCode::kUnsupported` when it has a
/// column of one of their names.
NUNATAK_EXPORT Schema WithChangeColumns(const Schema& schema);

}  // namespace nunatak
