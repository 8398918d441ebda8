#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "nunatak/base/export.h"
#include "nunatak/iceberg/table_metadata.h"
#include "nunatak/table/schema.h"

namespace nunatak::iceberg {

/// Which snapshot to read; at most one of the three, and the current one when none is set.
struct SnapshotChoice {
  std::optional<int64_t> snapshot_id;
  /// A branch or a tag.
  std::optional<std::string> ref;
  /// The snapshot that was current at this time (milliseconds since 1970-01-01 UTC), by the log.
  std::optional<int64_t> as_of_ms;
};

struct ChosenSnapshot {
  /// Null when the table has no snapshot: it has no rows. Valid as long as the metadata.
  const Snapshot* snapshot = nullptr;
  /// What the rows are read with: the table's current schema for the current snapshot and for
  /// branches; for tags, ids and times the schema that the snapshot was written with.
  Schema schema;
};

/// Throws `ErrorCode::kNotFound` for a snapshot, ref or time that the table does not have (the
/// message or the hint lists what exists), `kUsage` when more than one choice is made, and
/// `kInvalid` when the snapshot's schema is missing.
NUNATAK_EXPORT ChosenSnapshot ChooseSnapshot(const TableMetadata& metadata,
                                             const SnapshotChoice& choice);

/// The snapshot that `name` means where a snapshot is named in one word: a branch or a tag, its id
/// (which may have expired), or a time (time_of_text.h; what was current then), the first that
/// fits. Throws `ErrorCode::kNotFound` when there is none.
NUNATAK_EXPORT int64_t NamedSnapshotId(const TableMetadata& metadata, std::string_view name);

/// The same with what its rows are read with; the snapshot has not expired.
NUNATAK_EXPORT ChosenSnapshot ChooseNamed(const TableMetadata& metadata, std::string_view name);

/// Parses a time as users write it (time_of_text.h), or milliseconds since 1970-01-01 UTC. Throws
/// `ErrorCode::kUsage` for anything else.
NUNATAK_EXPORT int64_t ParseAsOf(std::string_view text);

}  // namespace nunatak::iceberg
