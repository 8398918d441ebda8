#include "nunatak/inspect/verify/verify_deletes.h"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

#include "nunatak/base/hash.h"

namespace nunatak {

namespace {

/// A live data file of the snapshot, with the number of its partition among all of the snapshot's.
struct Target {
  uint64_t hash = 0;
  size_t manifest = 0;
  uint32_t partition = 0;
  const LiveDataFile* file = nullptr;
};

class DeleteChecker {
 public:
  DeleteChecker(const TableFacts& facts, const SnapshotContents& contents,
                std::vector<Finding>* findings)
      : facts_(facts), contents_(contents), findings_(findings) {}

  void Run() {
    const bool any = std::any_of(contents_.digests.begin(), contents_.digests.end(),
                                 [](const auto& digest) { return !digest->deletes.empty(); });
    if (!any) return;
    Arrange();
    for (size_t m = 0; m < contents_.digests.size(); ++m) {
      for (const LiveDelete& live : contents_.digests[m]->deletes) Check(m, live);
    }
  }

 private:
  void Arrange() {
    for (size_t m = 0; m < contents_.digests.size(); ++m) {
      const ManifestDigest& digest = *contents_.digests[m];
      std::vector<uint32_t>& numbers = partitions_.emplace_back();
      for (const std::string& key : digest.partitions) {
        const auto next = static_cast<uint32_t>(numbers_.size());
        numbers.push_back(numbers_.emplace(key, next).first->second);
      }
      oldest_.resize(numbers_.size(), kNone);
      for (const LiveDataFile& file : digest.data_files) {
        const uint32_t partition = numbers[file.partition];
        targets_.push_back({file.path_hash, m, partition, &file});
        oldest_[partition] = std::min(oldest_[partition], file.sequence_number);
        oldest_of_all_ = std::min(oldest_of_all_, file.sequence_number);
      }
    }
    std::sort(targets_.begin(), targets_.end(),
              [](const Target& a, const Target& b) { return a.hash < b.hash; });
  }

  void Check(size_t manifest, const LiveDelete& live) {
    if (live.file.is_equality_delete()) return CheckEqualityDelete(manifest, live);
    if (live.file.is_deletion_vector()) CheckOnlyVector(manifest, live);
    if (live.referenced) return CheckReference(manifest, live);
    if (live.file.is_deletion_vector()) return;
    if (oldest_[partitions_[manifest][live.partition]] > live.sequence_number) {
      AddDangling(manifest, live, "no live data file of its partition is as old as it");
    }
  }

  void CheckEqualityDelete(size_t manifest, const LiveDelete& live) {
    const SpecFacts* spec = facts_.FindSpec(live.file.partition_spec_id);
    const bool is_global = spec && spec->spec.IsUnpartitioned();
    const int64_t oldest =
        is_global ? oldest_of_all_ : oldest_[partitions_[manifest][live.partition]];
    if (oldest < live.sequence_number) return;
    AddDangling(manifest, live,
                is_global ? "no live data file is older than it"
                          : "no live data file of its partition is older than it");
  }

  void CheckOnlyVector(size_t manifest, const LiveDelete& live) {
    if (!live.referenced) return;
    const auto [at, is_first] = vectors_.emplace(*live.referenced, &live);
    if (is_first) return;
    Add(nunatak::Check::kTwoDeletionVectors, manifest, live, "referenced_data_file",
        {*live.referenced, "a data file without another deletion vector"},
        fmt::format("{} has a deletion vector at byte {} of {} too", *live.referenced,
                    at->second->file.content_offset.value_or(0), at->second->file.file_path));
  }

  void CheckReference(size_t manifest, const LiveDelete& live) {
    const Target* target = Find(*live.referenced);
    if (!target) {
      if (!live.file.is_deletion_vector()) {
        return AddDangling(manifest, live, "its data file is not live: " + *live.referenced);
      }
      return Add(nunatak::Check::kDanglingDeletionVector, manifest, live, "referenced_data_file",
                 {*live.referenced, "a live data file"},
                 "its data file is not live: " + *live.referenced);
    }
    if (target->partition != partitions_[manifest][live.partition]) {
      Add(nunatak::Check::kDeletePartition, manifest, live, "partition", {},
          "its data file lies in another partition: " + *live.referenced);
    }
    if (target->file->sequence_number > live.sequence_number) {
      Add(nunatak::Check::kDeleteSequence, manifest, live, "sequence_number",
          {fmt::format("{}", live.sequence_number),
           fmt::format("at least {}", target->file->sequence_number)},
          fmt::format("its sequence number {} is below that of its data file, {}: {}",
                      live.sequence_number, target->file->sequence_number, *live.referenced));
    }
    if (live.file.is_deletion_vector() && live.file.record_count > target->file->record_count) {
      Add(nunatak::Check::kDeleteCount, manifest, live, "record_count",
          {fmt::format("{}", live.file.record_count),
           fmt::format("at most {}", target->file->record_count)},
          fmt::format("it deletes {} rows of {}, which has {}", live.file.record_count,
                      *live.referenced, target->file->record_count));
    }
  }

  const Target* Find(const std::string& path) const {
    const uint64_t hash = HashBytes(AsBytes(path));
    auto at = std::lower_bound(targets_.begin(), targets_.end(), hash,
                               [](const Target& t, uint64_t h) { return t.hash < h; });
    for (; at != targets_.end() && at->hash == hash; ++at) {
      // Two paths of one hash are rare enough to look only then.
      const bool alone = at + 1 == targets_.end() || (at + 1)->hash != hash;
      if (alone || contents_.path_of(at->manifest, at->file->entry) == path) return &*at;
    }
    return nullptr;
  }

  void AddDangling(size_t manifest, const LiveDelete& live, const std::string& message) {
    Add(nunatak::Check::kDanglingDelete, manifest, live,
        live.referenced ? "referenced_data_file" : "partition", {}, message);
  }

  void Add(nunatak::Check check, size_t manifest, const LiveDelete& live, std::string_view field,
           Comparison compared, const std::string& message) {
    const std::string& path = live.file.file_path;
    FileReport(contents_.manifests[manifest].manifest_path, contents_.snapshot.snapshot_id,
               findings_)
        .Add(check, fmt::format("entries[{}].{}", live.entry, field), std::move(compared),
             fmt::format("{}: {}", path.substr(path.rfind('/') + 1), message));
  }

  static constexpr int64_t kNone = std::numeric_limits<int64_t>::max();

  const TableFacts& facts_;
  const SnapshotContents& contents_;
  std::vector<Finding>* findings_;
  std::unordered_map<std::string, uint32_t> numbers_;
  /// Per manifest, the numbers of its partitions.
  std::vector<std::vector<uint32_t>> partitions_;
  /// Per partition, the least sequence number of its data files.
  std::vector<int64_t> oldest_;
  int64_t oldest_of_all_ = kNone;
  /// Ascending by hash.
  std::vector<Target> targets_;
  std::unordered_map<std::string, const LiveDelete*> vectors_;
};

}  // namespace

void CheckDeletes(const TableFacts& facts, const SnapshotContents& contents,
                  std::vector<Finding>* findings) {
  DeleteChecker(facts, contents, findings).Run();
}

}  // namespace nunatak
