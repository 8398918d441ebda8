#include "nunatak/iceberg/incremental.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/iceberg/iceberg_source.h"
#include "nunatak/iceberg/manifest_source.h"
#include "nunatak/iceberg/snapshot_choice.h"

namespace nunatak::iceberg {
namespace {

using SnapshotIds = std::set<int64_t>;
using Entries = std::vector<ManifestEntry>;

bool IsAppend(const Snapshot& snapshot) {
  if (!snapshot.operation) {
    ThrowInvalid(
        fmt::format("snapshot {} does not say which operation made it, so that nobody can "
                    "tell whether it only added rows",
                    snapshot.snapshot_id));
  }
  return *snapshot.operation == "append";
}

/// The manifests among `files` that one of the snapshots wrote, each once.
void SelectManifests(std::vector<ManifestFile> files, const SnapshotIds& snapshots, bool deletes,
                     std::set<std::string>* seen, std::vector<ManifestFile>* selected) {
  for (ManifestFile& file : files) {
    const bool written = file.added_snapshot_id && snapshots.contains(*file.added_snapshot_id);
    if (!written || (file.is_delete_manifest() && !deletes)) continue;
    if (seen->insert(file.manifest_path).second) selected->push_back(std::move(file));
  }
}

/// The entries that the snapshots added or removed, one list for each manifest.
std::vector<Entries> ReadChangedEntries(const Table& table, const Context& context,
                                        const std::vector<ManifestFile>& manifests,
                                        const SnapshotIds& snapshots, ManifestCache* cache) {
  std::vector<Entries> changed(manifests.size());
  ParallelFor(context, static_cast<int64_t>(manifests.size()), [&](int64_t i) {
    context.CheckStop();
    const auto at = static_cast<size_t>(i);
    for (ManifestEntry& entry : ReadManifest(table, manifests[at], cache).entries) {
      const bool ours = entry.snapshot_id && snapshots.contains(*entry.snapshot_id);
      if (ours && entry.status != EntryStatus::kExisting) changed[at].push_back(std::move(entry));
    }
  });
  return changed;
}

Entries* ListFor(const ManifestEntry& entry, FileChanges* changes) {
  const bool added = entry.status == EntryStatus::kAdded;
  if (entry.data_file.is_data()) {
    return added ? &changes->added_data_files : &changes->removed_data_files;
  }
  return added ? &changes->added_delete_files : &changes->removed_delete_files;
}

bool IsAncestor(const TableMetadata& metadata, int64_t older, int64_t younger) {
  SnapshotIds seen;
  const Snapshot* snapshot = metadata.FindSnapshot(younger);
  while (snapshot && snapshot->snapshot_id != older && seen.insert(snapshot->snapshot_id).second) {
    const std::optional<int64_t> parent = snapshot->parent_snapshot_id;
    snapshot = parent ? metadata.FindSnapshot(*parent) : nullptr;
  }
  return snapshot && snapshot->snapshot_id == older;
}

}  // namespace

std::vector<const Snapshot*> SnapshotsIn(const TableMetadata& metadata,
                                         const SnapshotRange& range) {
  const Snapshot* snapshot = metadata.FindSnapshot(range.to_inclusive);
  if (!snapshot) {
    throw Error(ErrorCode::kNotFound,
                fmt::format("the table has no snapshot {}", range.to_inclusive));
  }
  std::vector<const Snapshot*> found;
  if (range.from_exclusive == range.to_inclusive) return found;
  SnapshotIds seen;
  std::optional<int64_t> parent;
  for (; snapshot && seen.insert(snapshot->snapshot_id).second;
       snapshot = parent ? metadata.FindSnapshot(*parent) : nullptr) {
    found.push_back(snapshot);
    parent = snapshot->parent_snapshot_id;
    if (range.from_exclusive && parent == range.from_exclusive) break;
  }
  if (range.from_exclusive && parent != range.from_exclusive) {
    // Says which there are.
    if (!metadata.FindSnapshot(*range.from_exclusive)) {
      ChooseSnapshot(metadata, {.snapshot_id = range.from_exclusive});
    }
    ThrowUsage(fmt::format("snapshot {} is no ancestor of snapshot {}", *range.from_exclusive,
                           range.to_inclusive),
               IsAncestor(metadata, range.to_inclusive, *range.from_exclusive)
                   ? "it is the other way round: name the older one first"
                   : "");
  }
  std::reverse(found.begin(), found.end());
  return found;
}

std::shared_ptr<const SnapshotSource> MakeAppendSource(const Table& table,
                                                       const SnapshotRange& range, Schema schema,
                                                       std::shared_ptr<ManifestCache> cache) {
  if (!cache) cache = CacheOfOneScan();
  std::vector<const Snapshot*> appends = SnapshotsIn(*table.metadata, range);
  std::erase_if(appends, [](const Snapshot* snapshot) { return !IsAppend(*snapshot); });
  SnapshotIds ids;
  for (const Snapshot* snapshot : appends) ids.insert(snapshot->snapshot_id);
  std::set<std::string> seen;
  SourceManifests manifests{
      .files = {}, .snapshot_id = range.to_inclusive, .schema = std::move(schema)};
  for (const Snapshot* snapshot : appends) {
    SelectManifests(ReadManifests(table, snapshot, cache.get()), ids, /*deletes=*/false, &seen,
                    &manifests.files);
  }
  manifests.added_by = std::move(ids);
  return MakeManifestSource(table, std::move(manifests), std::move(cache));
}

FileChanges ReadFileChanges(const Table& table, const Context& context, const Snapshot& snapshot,
                            ManifestCache* cache) {
  FileChanges changes;
  changes.snapshot_id = snapshot.snapshot_id;
  std::set<std::string> seen;
  std::vector<ManifestFile> manifests;
  const SnapshotIds ids = {snapshot.snapshot_id};
  SelectManifests(ReadManifests(table, &snapshot, cache), ids, /*deletes=*/true, &seen, &manifests);
  for (Entries& entries : ReadChangedEntries(table, context, manifests, ids, cache)) {
    for (ManifestEntry& entry : entries) ListFor(entry, &changes)->push_back(std::move(entry));
  }
  return changes;
}

std::vector<FileChanges> ReadFileChanges(const Table& table, const Context& context,
                                         const SnapshotRange& range, ManifestCache* cache) {
  std::vector<FileChanges> changes;
  for (const Snapshot* snapshot : SnapshotsIn(*table.metadata, range)) {
    changes.push_back(ReadFileChanges(table, context, *snapshot, cache));
  }
  return changes;
}

}  // namespace nunatak::iceberg
