#include "nunatak/iceberg/snapshot_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/iceberg/time_of_text.h"
#include "nunatak/table/datetime.h"

namespace nunatak::iceberg {

namespace {

constexpr int64_t kMicrosPerMilli = 1000;
/// How many ids or names an error lists.
constexpr size_t kMaxListed = 10;

std::string FormatMillis(int64_t ms) {
  int64_t micros = 0;
  if (__builtin_mul_overflow(ms, kMicrosPerMilli, &micros)) return fmt::format("{} ms", ms);
  return FormatTimestamp(micros, 6, /*with_zone=*/true);
}

/// "the table has snapshots 1, 2, 3": the newest ones when there are many.
std::string ListSnapshots(const TableMetadata& metadata) {
  if (metadata.snapshots.empty()) return "the table has no snapshot";
  const size_t size = metadata.snapshots.size();
  const size_t first = size - std::min(size, kMaxListed);
  std::vector<int64_t> ids;
  for (size_t i = first; i < size; ++i) ids.push_back(metadata.snapshots.id(i));
  return fmt::format("the table has {}snapshots {}", first > 0 ? "…, " : "", fmt::join(ids, ", "));
}

std::string ListRefs(const TableMetadata& metadata) {
  if (metadata.refs.empty()) return "the table has no refs";
  std::vector<std::string_view> names;
  for (const auto& [name, ref] : metadata.refs) {
    if (names.size() < kMaxListed) names.push_back(name);
  }
  const bool more = names.size() < metadata.refs.size();
  return fmt::format("the table has the refs {}{}", fmt::join(names, ", "), more ? ", …" : "");
}

[[noreturn]] void ThrowNotFound(std::string message, std::string hint) {
  throw Error(ErrorCode::kNotFound, std::move(message), std::move(hint));
}

/// The schema that the snapshot was written with; the current one where it does not say.
const Schema& SchemaOf(const TableMetadata& metadata, const Snapshot& snapshot) {
  if (!snapshot.schema_id) return metadata.current_schema();
  const Schema* schema = metadata.FindSchema(*snapshot.schema_id);
  if (!schema) {
    ThrowInvalid(fmt::format("snapshot {}: schema-id: {} is not in 'schemas'", snapshot.snapshot_id,
                             *snapshot.schema_id));
  }
  return *schema;
}

ChosenSnapshot ChooseById(const TableMetadata& metadata, int64_t snapshot_id) {
  const Snapshot* snapshot = metadata.FindSnapshot(snapshot_id);
  if (!snapshot) {
    ThrowNotFound(fmt::format("no snapshot {}", snapshot_id), ListSnapshots(metadata));
  }
  return {snapshot, SchemaOf(metadata, *snapshot)};
}

ChosenSnapshot ChooseCurrent(const TableMetadata& metadata) {
  return {metadata.current_snapshot(), metadata.current_schema()};
}

ChosenSnapshot ChooseByRef(const TableMetadata& metadata, const std::string& name) {
  const SnapshotRef* ref = metadata.FindRef(name);
  if (!ref) {
    if (name == kMainBranch) return ChooseCurrent(metadata);  // empty, like the table
    ThrowNotFound(fmt::format("no branch or tag '{}'", name), ListRefs(metadata));
  }
  if (!ref->is_branch()) return ChooseById(metadata, ref->snapshot_id);
  return {metadata.FindSnapshot(ref->snapshot_id), metadata.current_schema()};
}

/// The entry in force at `as_of_ms`: of the greatest time up to it and, among equal times, the
/// last. The log is searched whole, since a rollback or a clock that was set back leaves it
/// unsorted.
const SnapshotLogEntry* FindLogEntry(const std::vector<SnapshotLogEntry>& log, int64_t as_of_ms) {
  const SnapshotLogEntry* found = nullptr;
  for (const SnapshotLogEntry& entry : log) {
    if (entry.timestamp_ms > as_of_ms) continue;
    if (!found || entry.timestamp_ms >= found->timestamp_ms) found = &entry;
  }
  return found;
}

std::string DescribeLog(const std::vector<SnapshotLogEntry>& log) {
  if (log.empty()) return "the table's snapshot-log is empty";
  const auto first = std::min_element(log.begin(), log.end(),
                                      [](const SnapshotLogEntry& a, const SnapshotLogEntry& b) {
                                        return a.timestamp_ms < b.timestamp_ms;
                                      });
  return fmt::format("the table's snapshot-log begins at {}", FormatMillis(first->timestamp_ms));
}

ChosenSnapshot ChooseByTime(const TableMetadata& metadata, int64_t as_of_ms,
                            std::string_view more_hint = "") {
  const SnapshotLogEntry* entry = FindLogEntry(metadata.snapshot_log, as_of_ms);
  if (!entry) {
    ThrowNotFound(fmt::format("no snapshot was current at {}", FormatMillis(as_of_ms)),
                  DescribeLog(metadata.snapshot_log).append(more_hint));
  }
  const Snapshot* snapshot = metadata.FindSnapshot(entry->snapshot_id);
  if (!snapshot) {
    ThrowNotFound(fmt::format("snapshot {}, which was current at {}, has expired",
                              entry->snapshot_id, FormatMillis(as_of_ms)),
                  ListSnapshots(metadata));
  }
  return {snapshot, SchemaOf(metadata, *snapshot)};
}

}  // namespace

ChosenSnapshot ChooseSnapshot(const TableMetadata& metadata, const SnapshotChoice& choice) {
  if (choice.snapshot_id.has_value() + choice.ref.has_value() + choice.as_of_ms.has_value() > 1) {
    ThrowUsage("a snapshot is chosen by its id, by a ref or by a time, not by several of them");
  }
  if (choice.snapshot_id) return ChooseById(metadata, *choice.snapshot_id);
  if (choice.ref) return ChooseByRef(metadata, *choice.ref);
  if (choice.as_of_ms) return ChooseByTime(metadata, *choice.as_of_ms);
  return ChooseCurrent(metadata);
}

namespace {

/// What a name that is one word means.
SnapshotChoice ParseName(const TableMetadata& metadata, std::string_view name) {
  SnapshotChoice choice;
  if (metadata.FindRef(name)) {
    choice.ref = std::string(name);
    return choice;
  }
  int64_t id = 0;
  const char* end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data(), end, id);
  if (error == std::errc() && stop == end) {
    choice.snapshot_id = id;
  } else if (const std::optional<int64_t> time = TimeOfText(name)) {
    choice.as_of_ms = *time;
  } else {
    ThrowNotFound(
        fmt::format("'{}' is no snapshot: neither an id, nor a branch or tag, nor a time", name),
        ListRefs(metadata) +
            "; a time is written 2026-06-01, 2026-06-01T12:00:00, yesterday or '36h ago'");
  }
  return choice;
}

}  // namespace

int64_t NamedSnapshotId(const TableMetadata& metadata, std::string_view name) {
  const SnapshotChoice choice = ParseName(metadata, name);
  if (choice.snapshot_id) return *choice.snapshot_id;
  return ChooseNamed(metadata, name).snapshot->snapshot_id;
}

ChosenSnapshot ChooseNamed(const TableMetadata& metadata, std::string_view name) {
  const SnapshotChoice choice = ParseName(metadata, name);
  if (!choice.as_of_ms) return ChooseSnapshot(metadata, choice);
  return ChooseByTime(metadata, *choice.as_of_ms, "; '-' in place of FROM is the beginning");
}

int64_t ParseAsOf(std::string_view text) {
  int64_t millis = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, millis);
  if (error == std::errc() && stop == end) return millis;
  if (const std::optional<int64_t> time = TimeOfText(text)) return *time;
  ThrowUsage(
      fmt::format("not a time: '{}'", text),
      "write 2024-03-01, 2024-03-01T12:30:00, 2024-03-01T12:30:00+02:00 (UTC without a zone), "
      "yesterday, '36h ago', or milliseconds since 1970");
}

}  // namespace nunatak::iceberg
