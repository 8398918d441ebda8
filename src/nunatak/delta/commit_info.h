#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "nunatak/base/export.h"
#include "nunatak/delta/table.h"

namespace nunatak::delta {

/// What a commit says of itself (specification, "Commit Provenance Information").
struct CommitInfo {
  /// By the writer's clock, milliseconds since 1970-01-01 UTC.
  std::optional<int64_t> timestamp;
  /// The same, ascending from commit to commit; only with in-commit timestamps.
  std::optional<int64_t> in_commit_timestamp;
  std::optional<std::string> operation;
  /// The whole action as JSON; "{}" when the commit has none.
  std::string json = "{}";
};

/// Reads the provenance of a version. Throws `ErrorCode::kInvalid` for a malformed commit, with
/// file and line. The commit must be in the log.
NUNATAK_EXPORT CommitInfo ReadCommitInfo(const Table& table, int64_t version);

}  // namespace nunatak::delta
