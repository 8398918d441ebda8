#include "nunatak/delta/version_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/delta/commit_info.h"
#include "nunatak/iceberg/snapshot_choice.h"
#include "nunatak/table/datetime.h"

namespace nunatak::delta {

namespace {

std::optional<int64_t> FindNumber(const Metadata& metadata, const char* key) {
  const std::string* text = metadata.FindProperty(key);
  if (text == nullptr) return std::nullopt;
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (error != std::errc() || end != text->data() + text->size()) {
    ThrowInvalid(fmt::format("the table property {} is '{}', which is no number", key, *text));
  }
  return number;
}

std::string FormatMillis(int64_t time_ms) {
  int64_t micros = 0;
  if (__builtin_mul_overflow(time_ms, int64_t{1000}, &micros)) return fmt::format("{} ms", time_ms);
  return FormatTimestamp(micros, 6, /*with_zone=*/true);
}

/// Without the properties that say when they were enabled, they were from the beginning.
int64_t FirstTimedVersion(const Metadata& metadata) {
  const std::string* enabled = metadata.FindProperty("delta.enableInCommitTimestamps");
  if (enabled == nullptr || *enabled != "true") return std::numeric_limits<int64_t>::max();
  return FindNumber(metadata, "delta.inCommitTimestampEnablementVersion").value_or(0);
}

}  // namespace

VersionTimes::VersionTimes(const Table& table, const Snapshot& latest)
    : table_(table), first_timed_(FirstTimedVersion(latest.metadata)) {
  int64_t previous = std::numeric_limits<int64_t>::min();
  for (const auto& [version, file] : table.log->commits()) {
    previous = previous == std::numeric_limits<int64_t>::min()
                   ? file.info.modified_ms
                   : std::max(file.info.modified_ms, previous + 1);
    file_times_[version] = previous;
  }
}

int64_t VersionTimes::Of(int64_t version) const {
  if (version < first_timed_) return file_times_.at(version);
  const std::optional<int64_t> time = ReadCommitInfo(table_, version).in_commit_timestamp;
  if (time) return *time;
  ThrowInvalid(
      fmt::format("{}: there is no inCommitTimestamp, which the table's properties promise",
                  table_.log->FindCommit(version)->info.location));
}

int64_t VersionTimes::VersionAsOf(int64_t time_ms) const {
  const VersionRange available = table_.log->available();
  std::vector<int64_t> versions;
  for (const auto& [version, file] : table_.log->commits()) {
    if (version >= available.first && version <= available.last) versions.push_back(version);
  }
  // Times ascend within each of the two kinds, and what commits say came later.
  const auto is_not_after = [&](int64_t version) { return Of(version) <= time_ms; };
  const auto first_timed = std::lower_bound(versions.begin(), versions.end(), first_timed_);
  auto end = std::partition_point(first_timed, versions.end(), is_not_after);
  if (end == first_timed) end = std::partition_point(versions.begin(), first_timed, is_not_after);
  if (end != versions.begin()) return *std::prev(end);
  const std::string first = versions.empty() ? std::string("there is none")
                                             : fmt::format("version {} is of {}", versions.front(),
                                                           FormatMillis(Of(versions.front())));
  throw Error(ErrorCode::kNotFound,
              fmt::format("no version of the table was committed by {}", FormatMillis(time_ms)),
              fmt::format("the first version that can be read: {}", first));
}

int64_t NamedVersion(const VersionTimes& times, std::string_view name) {
  int64_t version = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), version);
  if (error == std::errc() && end == name.data() + name.size()) return version;
  return times.VersionAsOf(iceberg::ParseAsOf(name));
}

}  // namespace nunatak::delta
