#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/delta/log_file.h"

namespace nunatak::delta {

/// A checkpoint that is complete as far as its names tell: its top-level files, in the order of its
/// parts.
struct Checkpoint {
  int64_t version = 0;
  std::vector<LogFile> files;
};

/// What one version of the table is put together from (specification, "Action Reconciliation").
struct LogSegment {
  int64_t version = 0;
  std::optional<Checkpoint> checkpoint;
  /// Commits and compactions that together cover each version after the checkpoint once, ascending.
  std::vector<LogFile> commits;
};

/// The versions that a log can still tell of.
struct VersionRange {
  int64_t first = 0;
  int64_t last = 0;
};

/// What lies in the folder of a log, by version. Every listing shows all checkpoints, so that
/// `_last_checkpoint`, which may be missing, stale or damaged, is not needed.
class NUNATAK_EXPORT LogListing {
 public:
  LogListing() = default;
  explicit LogListing(std::vector<FileInfo> files);

  bool empty() const { return commits_.empty() && checkpoints_.empty(); }
  /// The newest version. The log must not be empty.
  int64_t latest_version() const;
  /// The latest run of versions that can be put together, without a gap; the log is not empty.
  VersionRange available() const;

  /// The ways to put `version` together (the latest one when absent), the best first: from the
  /// newest checkpoint, from older ones, from the first commit; each with the compactions that
  /// there are, and without. Throws `ErrorCode::kNotFound` for a version that does not exist yet or
  /// whose log was cleaned up, saying which are available; and `kInvalid` when a commit is missing
  /// in the middle, by its number.
  std::vector<LogSegment> SegmentsFor(std::optional<int64_t> version) const;

  /// Null when the version has none.
  const LogFile* FindCommit(int64_t version) const;
  const std::map<int64_t, LogFile>& commits() const { return commits_; }
  /// Complete checkpoints, by version; several of one version in a fixed order.
  const std::multimap<int64_t, Checkpoint>& checkpoints() const { return checkpoints_; }

 private:
  void AddCheckpoints(const std::vector<LogFile>& files);
  std::vector<LogFile> CommitsAfter(int64_t before, int64_t version, bool compacted,
                                    std::optional<int64_t>* missing) const;
  [[noreturn]] void ThrowUnavailable(int64_t version, std::optional<int64_t> missing) const;

  std::map<int64_t, LogFile> commits_;
  /// By first version, the longest of each.
  std::map<int64_t, std::vector<LogFile>> compactions_;
  std::multimap<int64_t, Checkpoint> checkpoints_;
};

}  // namespace nunatak::delta
