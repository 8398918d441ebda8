#include "nunatak/iceberg/change_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/iceberg/iceberg_source.h"
#include "nunatak/iceberg/manifest_source.h"
#include "nunatak/plan/affected_files.h"
#include "nunatak/plan/table_scan.h"

namespace nunatak::iceberg {
namespace {

using DeletePtr = std::shared_ptr<const DeleteFile>;
using Deletes = std::vector<DeletePtr>;

auto IdentityOf(const DeletePtr& file) {
  return std::tie(file->file.file_path, file->file.content_offset, file->data_sequence_number);
}

bool Precedes(const DeletePtr& a, const DeletePtr& b) { return IdentityOf(a) < IdentityOf(b); }

bool SameDeletes(const Deletes& a, const Deletes& b) {
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(),
      [](const DeletePtr& x, const DeletePtr& y) { return IdentityOf(x) == IdentityOf(y); });
}

/// The manifests of a snapshot.
struct Side {
  const Snapshot* snapshot = nullptr;
  std::vector<ManifestFile> manifests;
  /// Whether the other side has it too.
  std::vector<bool> shared;
};

void MarkShared(Side* side, const Side& other) {
  std::set<std::string_view> paths;
  for (const ManifestFile& file : other.manifests) paths.insert(file.manifest_path);
  for (const ManifestFile& file : side->manifests) {
    side->shared.push_back(paths.contains(file.manifest_path));
  }
}

/// The live delete files of the manifests that one side alone has, ascending.
Deletes OwnDeletes(const Table& table, const Side& side, ManifestCache* cache) {
  Deletes deletes;
  for (size_t i = 0; i < side.manifests.size(); ++i) {
    const ManifestFile& file = side.manifests[i];
    if (!file.is_delete_manifest() || side.shared[i]) continue;
    for (ManifestEntry& entry : ReadManifest(table, file, cache).live_entries()) {
      deletes.push_back(std::make_shared<const DeleteFile>(
          DeleteFile{std::move(entry.data_file), entry.sequence_number}));
    }
  }
  std::sort(deletes.begin(), deletes.end(), Precedes);
  return deletes;
}

Deletes Difference(const Deletes& from, const Deletes& without) {
  Deletes difference;
  std::set_difference(from.begin(), from.end(), without.begin(), without.end(),
                      std::back_inserter(difference), Precedes);
  return difference;
}

/// The specs under which deletes apply to data files; nullopt for all of them.
std::optional<std::set<int32_t>> SpecsOf(const Table& table, const Deletes& deletes) {
  std::set<int32_t> specs;
  for (const DeletePtr& file : deletes) {
    const int32_t id = file->file.partition_spec_id;
    const PartitionSpec* spec = table.metadata->FindSpec(id);
    if (file->file.is_equality_delete() && spec && spec->IsUnpartitioned()) return std::nullopt;
    specs.insert(id);
  }
  return specs;
}

class ChangePlanner {
 public:
  ChangePlanner(const Table& table, const Context& context, const ChangedSnapshot& changed,
                const ChangeScan& scan, std::shared_ptr<ManifestCache> cache)
      : table_(table), context_(context), scan_(scan), cache_(std::move(cache)) {
    before_ = {changed.parent, ReadManifests(table, changed.parent, cache_.get()), {}};
    after_ = {changed.snapshot, ReadManifests(table, changed.snapshot, cache_.get()), {}};
    MarkShared(&before_, after_);
    MarkShared(&after_, before_);
    const Deletes own_before = OwnDeletes(table, before_, cache_.get());
    const Deletes own_after = OwnDeletes(table, after_, cache_.get());
    removed_ = Difference(own_before, own_after);
    added_ = Difference(own_after, own_before);
    specs_of_removed_ = SpecsOf(table, removed_);
    specs_of_added_ = SpecsOf(table, added_);
  }

  std::vector<FileChange> Plan() const {
    std::unordered_multimap<std::string, FileScanTask> before;
    Scan(before_, [&](FileScanTask task) {
      std::string path = task.data_file->file_path;
      before.emplace(std::move(path), std::move(task));
    });
    std::vector<FileChange> changes, added;
    Scan(after_, [&](FileScanTask task) {
      const auto same = before.find(task.data_file->file_path);
      if (same == before.end()) {
        added.push_back({std::nullopt, std::move(task)});
        return;
      }
      if (!SameDeletes(same->second.deletes, task.deletes)) {
        changes.push_back({std::move(same->second), std::move(task)});
      }
      before.erase(same);
    });
    AppendRemoved(std::move(before), &changes);
    std::move(added.begin(), added.end(), std::back_inserter(changes));
    return changes;
  }

 private:
  static void AppendRemoved(std::unordered_multimap<std::string, FileScanTask> tasks,
                            std::vector<FileChange>* changes) {
    const size_t first = changes->size();
    for (auto& [path, task] : tasks) changes->push_back({std::move(task), std::nullopt});
    std::sort(changes->begin() + static_cast<std::ptrdiff_t>(first), changes->end(),
              [](const FileChange& a, const FileChange& b) {
                return a.before->data_file->file_path < b.before->data_file->file_path;
              });
  }

  /// Whether the deletes that changed may apply to files of a manifest that both sides have.
  bool MayBeAffected(const ManifestFile& file) const {
    const auto has = [&](const std::optional<std::set<int32_t>>& specs) {
      return !specs || specs->contains(file.partition_spec_id);
    };
    return has(specs_of_removed_) || has(specs_of_added_);
  }

  /// The tasks of the files of one side that may not be the same on the other.
  void Scan(const Side& side, const TableScan::TaskSink& sink) const {
    SourceManifests chosen{.files = {}, .snapshot_id = std::nullopt, .schema = scan_.schema};
    std::vector<bool> whole;
    for (size_t i = 0; i < side.manifests.size(); ++i) {
      const ManifestFile& file = side.manifests[i];
      const bool all = file.is_delete_manifest() || !side.shared[i];
      if (!all && !MayBeAffected(file)) continue;
      chosen.files.push_back(file);
      whole.push_back(all);
    }
    if (side.snapshot) chosen.snapshot_id = side.snapshot->snapshot_id;
    const auto source =
        MakeAffectedFilesSource(MakeManifestSource(table_, std::move(chosen), cache_),
                                std::move(whole), {removed_, added_});
    TableScan(source, scan_.filter).Plan(context_, sink);
  }

  const Table& table_;
  const Context& context_;
  const ChangeScan& scan_;
  std::shared_ptr<ManifestCache> cache_;
  Side before_, after_;
  /// The delete files that one side alone has.
  Deletes removed_, added_;
  std::optional<std::set<int32_t>> specs_of_removed_, specs_of_added_;
};

void RequireKnownBeginning(const TableMetadata& metadata, const SnapshotRange& range,
                           const Snapshot& first) {
  const std::optional<int64_t> parent = first.parent_snapshot_id;
  if (!parent || metadata.FindSnapshot(*parent)) return;
  const std::string missing =
      range.from_exclusive
          ? fmt::format(
                "snapshot {}, after which the changes begin, has expired: which rows it had "
                "is not known any more",
                *parent)
          : fmt::format(
                "the table's history does not reach back to its beginning: snapshot {} has "
                "expired",
                *parent);
  throw Error(
      ErrorCode::kNotFound, missing,
      fmt::format("the oldest snapshot after which changes can be told is {}", first.snapshot_id));
}

}  // namespace

std::vector<ChangedSnapshot> ChangedSnapshots(const TableMetadata& metadata,
                                              const SnapshotRange& range) {
  const std::vector<const Snapshot*> snapshots = SnapshotsIn(metadata, range);
  if (!snapshots.empty()) RequireKnownBeginning(metadata, range, *snapshots.front());
  std::vector<ChangedSnapshot> changed;
  for (const Snapshot* snapshot : snapshots) {
    if (snapshot->operation == "replace") continue;
    const std::optional<int64_t> parent = snapshot->parent_snapshot_id;
    changed.push_back({.snapshot = snapshot,
                       .parent = parent ? metadata.FindSnapshot(*parent) : nullptr,
                       .ordinal = static_cast<int32_t>(changed.size())});
  }
  return changed;
}

std::vector<FileChange> PlanFileChanges(const Table& table, const Context& context,
                                        const ChangedSnapshot& changed, const ChangeScan& scan,
                                        std::shared_ptr<ManifestCache> cache) {
  if (!cache) cache = CacheOfOneScan();
  return ChangePlanner(table, context, changed, scan, std::move(cache)).Plan();
}

}  // namespace nunatak::iceberg
