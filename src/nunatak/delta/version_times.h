#pragma once

#include <cstdint>
#include <map>
#include <string_view>

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/delta/snapshot.h"
#include "nunatak/delta/table.h"

namespace nunatak::delta {

/// When the versions of a table were committed, in milliseconds since 1970-01-01 UTC
/// (specification, "Recommendations for Readers of Tables with In-Commit Timestamps"): by what the
/// commits say where the table's in-commit timestamps are enabled, else by when the commit files
/// were written, each at least a millisecond after the one before.
class NUNATAK_EXPORT VersionTimes {
 public:
  /// `latest` is the newest version of the table, which both must outlive this.
  VersionTimes(const Table& table, const Snapshot& latest);

  /// Of a version whose commit is in the log; commits with timestamps of their own are read.
  int64_t Of(int64_t version) const;

  /// The newest of the available versions that was committed at that time or before. Reads few
  /// commits. Throws `ErrorCode::kNotFound` when the time is before all of them.
  int64_t VersionAsOf(int64_t time_ms) const;

 private:
  const Table& table_;
  /// The first version that says when it was committed; after all when none does.
  int64_t first_timed_;
  std::map<int64_t, int64_t> file_times_;
};

/// The version that `name` means: its number, or an ISO date or time (what was current then).
/// Throws `ErrorCode::kUsage` for other text, and what `VersionAsOf` throws.
NUNATAK_EXPORT int64_t NamedVersion(const VersionTimes& times, std::string_view name);

}  // namespace nunatak::delta
