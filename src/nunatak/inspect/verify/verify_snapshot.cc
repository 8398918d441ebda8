#include "nunatak/inspect/verify/verify_snapshot.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "nunatak/base/hash.h"
#include "nunatak/inspect/verify/verify_deletes.h"
#include "nunatak/inspect/verify/verify_summary.h"

namespace nunatak {

bool SnapshotContents::complete() const {
  return std::none_of(digests.begin(), digests.end(), [](const auto& d) { return d == nullptr; });
}

namespace {

/// Where an entry is.
struct EntryPlace {
  uint64_t hash = 0;
  size_t manifest = 0;
  uint32_t entry = 0;

  friend bool operator<(const EntryPlace& a, const EntryPlace& b) {
    return std::tie(a.hash, a.manifest, a.entry) < std::tie(b.hash, b.manifest, b.entry);
  }
};

/// Several deletion vectors share a file, each at a place of its own.
uint64_t HashOf(const DataFile& file) {
  const uint64_t hash = HashBytes(AsBytes(file.file_path));
  if (!file.is_deletion_vector()) return hash;
  return MixHash(hash, static_cast<uint64_t>(file.content_offset.value_or(0)));
}

std::vector<EntryPlace> PlacesOf(const SnapshotContents& contents) {
  std::vector<EntryPlace> places;
  for (size_t m = 0; m < contents.digests.size(); ++m) {
    const ManifestDigest* digest = contents.digests[m].get();
    if (!digest) continue;
    for (const LiveDataFile& file : digest->data_files) {
      places.push_back({file.path_hash, m, file.entry});
    }
    for (const LiveDelete& file : digest->deletes) {
      places.push_back({HashOf(file.file), m, file.entry});
    }
  }
  std::sort(places.begin(), places.end());
  return places;
}

void ReportTwice(const SnapshotContents& contents, const EntryPlace& first,
                 const EntryPlace& second, const std::string& path,
                 std::vector<Finding>* findings) {
  FileReport report(contents.manifests[second.manifest].manifest_path,
                    contents.snapshot.snapshot_id, findings);
  report.Add(Check::kFileListedTwice, fmt::format("entries[{}].file_path", second.entry),
             {path, "a path that no other live entry has"},
             fmt::format("{} is live in {} (entry {}) too", path,
                         contents.manifests[first.manifest].manifest_path, first.entry));
}

/// Hashes tell which entries may be the same; their paths, which are.
void CheckListedOnce(const SnapshotContents& contents, std::vector<Finding>* findings) {
  const std::vector<EntryPlace> places = PlacesOf(contents);
  for (size_t begin = 0, end = 0; begin < places.size(); begin = end) {
    for (end = begin + 1; end < places.size() && places[end].hash == places[begin].hash;) ++end;
    if (end - begin == 1) continue;
    std::map<std::string, EntryPlace> by_path;
    for (size_t i = begin; i < end; ++i) {
      std::string path = contents.path_of(places[i].manifest, places[i].entry);
      const auto [at, is_first] = by_path.emplace(std::move(path), places[i]);
      if (!is_first) ReportTwice(contents, at->second, places[i], at->first, findings);
    }
  }
}

struct RowIdRange {
  int64_t first = 0;
  int64_t count = 0;
  size_t manifest = 0;
  uint32_t entry = 0;
};

void CheckRowIdsDisjoint(const SnapshotContents& contents, std::vector<Finding>* findings) {
  std::vector<RowIdRange> ranges;
  for (size_t m = 0; m < contents.digests.size(); ++m) {
    if (!contents.digests[m]) continue;
    for (const LiveDataFile& file : contents.digests[m]->data_files) {
      if (file.first_row_id < 0 || file.record_count == 0) continue;
      ranges.push_back({file.first_row_id, file.record_count, m, file.entry});
    }
  }
  std::sort(ranges.begin(), ranges.end(),
            [](const RowIdRange& a, const RowIdRange& b) { return a.first < b.first; });
  for (size_t i = 1; i < ranges.size(); ++i) {
    const RowIdRange& before = ranges[i - 1];
    const RowIdRange& range = ranges[i];
    if (range.first - before.first >= before.count) continue;
    FileReport report(contents.manifests[range.manifest].manifest_path,
                      contents.snapshot.snapshot_id, findings);
    report.Add(
        Check::kEntryRowIds, fmt::format("entries[{}].first_row_id", range.entry),
        {fmt::format("{}", range.first), fmt::format("at least {}", before.first + before.count)},
        fmt::format("its row ids from {} on are those of entry {} of {} too", range.first,
                    before.entry, contents.manifests[before.manifest].manifest_path));
  }
}

}  // namespace

void CheckSnapshotContents(const TableFacts& facts, const SnapshotContents& contents,
                           const std::string& metadata_location, std::vector<Finding>* findings) {
  CheckListedOnce(contents, findings);
  CheckRowIdsDisjoint(contents, findings);
  if (!contents.complete()) return;
  FileReport report(metadata_location, contents.snapshot.snapshot_id, findings);
  CheckSummary(contents, &report);
  CheckDeletes(facts, contents, findings);
}

}  // namespace nunatak
