#include "nunatak/delta/log_listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "nunatak/base/error.h"

namespace nunatak::delta {

namespace {

std::string_view BaseName(std::string_view location) {
  return location.substr(location.rfind('/') + 1);
}

/// Classic before parts before those with a UUID; of one kind the most parts, then by name: whoever
/// reads a table again reads the same files.
auto OrderOf(const LogFile& file) {
  return std::tuple(file.name.version, file.name.kind, -file.name.parts, file.name.part,
                    std::string_view(file.info.location));
}

}  // namespace

LogListing::LogListing(std::vector<FileInfo> files) {
  std::vector<LogFile> checkpoints;
  for (FileInfo& info : files) {
    const std::optional<LogFileName> name = ParseLogFileName(BaseName(info.location));
    if (!name || info.is_directory) continue;
    LogFile file{*name, std::move(info)};
    switch (name->kind) {
      case LogFileKind::kCommit:
        commits_.emplace(name->version, std::move(file));
        break;
      case LogFileKind::kCompaction:
        // An upload that failed leaves an empty file behind; the commits are there too.
        if (file.info.size > 0) compactions_[name->version].push_back(std::move(file));
        break;
      case LogFileKind::kCheckpoint:
      case LogFileKind::kCheckpointPart:
      case LogFileKind::kUuidCheckpoint:
        if (file.info.size > 0) checkpoints.push_back(std::move(file));
        break;
      case LogFileKind::kChecksum:
        break;
    }
  }
  std::sort(checkpoints.begin(), checkpoints.end(),
            [](const LogFile& a, const LogFile& b) { return OrderOf(a) < OrderOf(b); });
  AddCheckpoints(checkpoints);
}

void LogListing::AddCheckpoints(const std::vector<LogFile>& files) {
  for (size_t begin = 0; begin < files.size();) {
    const LogFileName& name = files[begin].name;
    size_t end = begin + 1;
    if (name.kind == LogFileKind::kCheckpointPart) {
      while (end < files.size() && files[end].name.kind == name.kind &&
             files[end].name.version == name.version && files[end].name.parts == name.parts) {
        ++end;
      }
    }
    // Parts have distinct names, so that as many as there must be are all of them.
    if (end - begin == static_cast<size_t>(name.parts)) {
      checkpoints_.emplace(name.version, Checkpoint{name.version,
                                                    {files.begin() + static_cast<ptrdiff_t>(begin),
                                                     files.begin() + static_cast<ptrdiff_t>(end)}});
    }
    begin = end;
  }
}

int64_t LogListing::latest_version() const {
  int64_t latest = -1;
  if (!commits_.empty()) latest = commits_.rbegin()->first;
  if (!checkpoints_.empty()) latest = std::max(latest, checkpoints_.rbegin()->first);
  return latest;
}

VersionRange LogListing::available() const {
  VersionRange range{.first = latest_version(), .last = latest_version()};
  // Back to where commits end, which is a version only if a checkpoint holds what was before.
  int64_t oldest_commit = range.last + 1;
  while (commits_.contains(oldest_commit - 1)) --oldest_commit;
  if (oldest_commit == 0) {
    range.first = 0;
  } else {
    const auto oldest = checkpoints_.lower_bound(oldest_commit - 1);
    if (oldest != checkpoints_.end()) range.first = oldest->first;
  }
  return range;
}

const LogFile* LogListing::FindCommit(int64_t version) const {
  const auto at = commits_.find(version);
  return at == commits_.end() ? nullptr : &at->second;
}

/// What covers (before, version]; `missing` is the first version that nothing covers. `compacted`:
/// whether compactions count.
std::vector<LogFile> LogListing::CommitsAfter(int64_t before, int64_t version, bool compacted,
                                              std::optional<int64_t>* missing) const {
  std::vector<LogFile> chosen;
  for (int64_t next = before + 1; next <= version;) {
    const LogFile* best = FindCommit(next);
    const auto compactions = compactions_.find(next);
    if (compacted && compactions != compactions_.end()) {
      for (const LogFile& file : compactions->second) {
        const bool longer = best == nullptr || file.name.end_version > best->name.end_version;
        if (file.name.end_version <= version && longer) best = &file;
      }
    }
    if (best == nullptr) {
      *missing = next;
      return {};
    }
    chosen.push_back(*best);
    next = best->name.end_version + 1;
  }
  return chosen;
}

std::vector<LogSegment> LogListing::SegmentsFor(std::optional<int64_t> wanted) const {
  const int64_t latest = latest_version();
  const int64_t version = wanted.value_or(latest);
  if (version < 0 || version > latest) {
    throw Error(ErrorCode::kNotFound, fmt::format("the table has no version {}", version),
                fmt::format("versions {} to {} are available", available().first, latest));
  }
  std::vector<LogSegment> segments;
  std::optional<int64_t> missing;
  const auto try_from = [&](int64_t before, const Checkpoint* checkpoint) {
    std::optional<int64_t> gap;
    LogSegment segment{.version = version};
    segment.commits = CommitsAfter(before, version, /*compacted=*/true, &gap);
    if (gap) {
      if (!missing) missing = gap;
      return;
    }
    if (checkpoint != nullptr) segment.checkpoint = *checkpoint;
    const bool compacted =
        std::any_of(segment.commits.begin(), segment.commits.end(),
                    [](const LogFile& file) { return file.name.kind == LogFileKind::kCompaction; });
    segments.push_back(segment);
    if (!compacted) return;
    segment.commits = CommitsAfter(before, version, /*compacted=*/false, &gap);
    if (!gap) segments.push_back(std::move(segment));
  };
  for (auto at = checkpoints_.upper_bound(version); at != checkpoints_.begin();) {
    const int64_t checkpoint_version = std::prev(at)->first;
    const auto begin = checkpoints_.lower_bound(checkpoint_version);
    for (auto it = begin; it != at; ++it) try_from(checkpoint_version, &it->second);
    at = begin;
  }
  try_from(-1, nullptr);
  if (segments.empty()) ThrowUnavailable(version, missing);
  return segments;
}

void LogListing::ThrowUnavailable(int64_t version, std::optional<int64_t> missing) const {
  const VersionRange range = available();
  const bool cleaned =
      version < range.first && !commits_.empty() && missing && *missing < commits_.begin()->first;
  if (cleaned) {
    throw Error(ErrorCode::kNotFound,
                fmt::format("version {} can no longer be put together: the log before it was "
                            "cleaned up (version {} is missing)",
                            version, *missing),
                fmt::format("versions {} to {} are available", range.first, range.last));
  }
  ThrowInvalid(fmt::format("the log has a gap: version {} is missing, without which version {} "
                           "cannot be put together",
                           missing.value_or(0), version),
               "the commit file was lost, or the copy of the table is incomplete");
}

}  // namespace nunatak::delta
