#include "nunatak/inspect/disk_usage.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/base/hash.h"
#include "nunatak/iceberg/iceberg_source.h"
#include "nunatak/inspect/file_kind.h"
#include "nunatak/inspect/manifest_walk.h"

namespace nunatak {

using iceberg::ManifestFile;
using iceberg::Snapshot;
using iceberg::WalkedEntry;

namespace {

/// By `FileKind`, then the kinds that manifests do not list.
enum Kind : uint8_t {
  kManifests = 4,
  kManifestLists,
  kStatistics,
  kPartitionStatistics,
  kMetadata
};
constexpr std::array<std::string_view, 9> kKindNames = {
    "data",           "position deletes", "deletion vectors",     "equality deletes", "manifests",
    "manifest lists", "statistics",       "partition statistics", "metadata"};

/// A file by the hash of its path.
struct SizedFile {
  uint64_t hash = 0;
  int64_t bytes = 0;
  uint8_t kind = 0;
};

SizedFile MakeFile(std::string_view path, int64_t bytes, uint8_t kind) {
  return {HashBytes(AsBytes(path)), bytes, kind};
}

/// The files of every snapshot; what several share is kept once.
struct TableFiles {
  /// Of each distinct manifest: itself, and the live files that it lists.
  std::vector<std::vector<SizedFile>> manifests;
  /// Of each snapshot: its manifest list, and the places of its manifests.
  struct OfSnapshot {
    std::optional<SizedFile> list;
    std::vector<size_t> manifests;
  };
  std::vector<OfSnapshot> snapshots;

  template <typename Visit>
  void ForEach(size_t snapshot, Visit visit) const {
    if (snapshots[snapshot].list) visit(*snapshots[snapshot].list);
    for (const size_t manifest : snapshots[snapshot].manifests) {
      for (const SizedFile& file : manifests[manifest]) visit(file);
    }
  }
};

TableFiles FilesOf(const iceberg::Table& table, const Context& context) {
  TableFiles found;
  std::vector<ManifestFile> distinct;
  std::unordered_map<std::string, size_t> places;
  for (const Snapshot& snapshot : table.metadata->snapshots) {
    TableFiles::OfSnapshot& of_snapshot = found.snapshots.emplace_back();
    std::vector<ManifestFile> manifests = iceberg::ReadManifests(table, &snapshot);
    if (snapshot.manifest_list) {
      of_snapshot.list = MakeFile(*snapshot.manifest_list, table.io->Size(*snapshot.manifest_list),
                                  kManifestLists);
    }
    for (ManifestFile& file : manifests) {
      const auto [at, added] = places.emplace(file.manifest_path, distinct.size());
      of_snapshot.manifests.push_back(at->second);
      if (!added) continue;
      found.manifests.push_back({MakeFile(file.manifest_path, file.manifest_length, kManifests)});
      distinct.push_back(std::move(file));
    }
  }
  const auto visit = [&found](size_t i, iceberg::EntryWalk& walk) {
    walk.ForEach([&](const WalkedEntry& entry) {
      if (entry.head.status == iceberg::EntryStatus::kDeleted) return;
      found.manifests[i].push_back(MakeFile(entry.slots[iceberg::kFilePath].text(),
                                            entry.head.file_size,
                                            static_cast<uint8_t>(KindOf(entry))));
    });
  };
  WalkManifests(table, TableFacts(*table.metadata), context, distinct,
                {.visit = visit, .take = [](size_t) {}});
  return found;
}

/// Earlier metadata files may be gone.
std::optional<int64_t> SizeIfThere(FileIO& io, const std::string& location) {
  try {
    return io.Size(location);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kNotFound) throw;
    return std::nullopt;
  }
}

void AddTableFiles(const iceberg::Table& table, std::vector<UsageOfKind>* kinds) {
  const auto add = [kinds](Kind kind, int64_t bytes) {
    ++(*kinds)[kind].files;
    (*kinds)[kind].bytes += bytes;
  };
  for (const auto& file : table.metadata->statistics) add(kStatistics, file.file_size_in_bytes);
  for (const auto& file : table.metadata->partition_statistics) {
    add(kPartitionStatistics, file.file_size_in_bytes);
  }
  add(kMetadata, table.io->Size(table.metadata_location));
  for (const iceberg::MetadataLogEntry& entry : table.metadata->metadata_log) {
    const std::optional<int64_t> size = SizeIfThere(*table.io, entry.metadata_file);
    if (size) add(kMetadata, *size);
  }
}

}  // namespace

std::vector<UsageOfKind> UsageByKind(const iceberg::Table& table, const Context& context) {
  std::vector<UsageOfKind> kinds;
  for (const std::string_view name : kKindNames) kinds.push_back({.kind = name});
  const TableFiles files = FilesOf(table, context);
  std::unordered_set<uint64_t> seen;
  for (size_t i = 0; i < files.snapshots.size(); ++i) {
    files.ForEach(i, [&](const SizedFile& file) {
      if (!seen.insert(file.hash).second) return;
      ++kinds[file.kind].files;
      kinds[file.kind].bytes += file.bytes;
    });
  }
  AddTableFiles(table, &kinds);
  return kinds;
}

std::vector<UsageOfSnapshot> UsageBySnapshot(const iceberg::Table& table, const Context& context) {
  /// Which snapshot had a file first, and whether only that one has it.
  struct Owner {
    size_t snapshot = 0;
    size_t last = 0;
    int64_t bytes = 0;
    bool shared = false;
  };
  const TableFiles files = FilesOf(table, context);
  std::unordered_map<uint64_t, Owner> owners;
  std::vector<UsageOfSnapshot> usage;
  for (size_t i = 0; i < files.snapshots.size(); ++i) {
    const Snapshot snapshot = table.metadata->snapshots.At(i);
    UsageOfSnapshot& of_snapshot = usage.emplace_back();
    of_snapshot.snapshot_id = snapshot.snapshot_id;
    of_snapshot.timestamp_ms = snapshot.timestamp_ms;
    of_snapshot.operation = snapshot.operation;
    files.ForEach(i, [&](const SizedFile& file) {
      const auto [at, added] = owners.emplace(file.hash, Owner{i, i, file.bytes});
      // A Puffin file of several deletion vectors is listed for each of them.
      if (!added && at->second.last == i) return;
      at->second.last = i;
      at->second.shared = at->second.shared || !added;
      ++of_snapshot.files;
      of_snapshot.bytes += file.bytes;
    });
  }
  for (const auto& [hash, owner] : owners) {
    if (owner.shared) continue;
    ++usage[owner.snapshot].unique_files;
    usage[owner.snapshot].unique_bytes += owner.bytes;
  }
  return usage;
}

}  // namespace nunatak
