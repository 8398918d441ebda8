#include "nunatak/inspect/tables/manifest_parts.h"

#include <string>
#include <unordered_set>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/iceberg/iceberg_source.h"
#include "nunatak/iceberg/manifest_source.h"
#include "nunatak/iceberg/partition_types.h"

namespace nunatak {

using iceberg::ManifestFile;

ManifestParts::ManifestParts(const iceberg::Table& table, std::vector<ManifestFile> files)
    : table_(table),
      files_(std::make_shared<const std::vector<ManifestFile>>(std::move(files))),
      cache_(table.io->waits() ? std::make_shared<iceberg::ManifestCache>(
                                     iceberg::ManifestCacheOptions{.max_column_bytes = 0})
                               : iceberg::CacheOfOneScan()) {}

iceberg::Manifest ManifestParts::Read(size_t part) const {
  return iceberg::ReadManifest(table_, file(part), cache_.get(), {.column_metrics = false});
}

std::shared_ptr<const ManifestRows> ManifestParts::Rows(size_t part) const {
  const ManifestFile& manifest = file(part);
  const PartitionSpec& spec = iceberg::SpecOf(*table_.metadata, manifest);
  const Type type = iceberg::PartitionTypeOf(*table_.metadata, spec);
  Buffer bytes = iceberg::FetchManifest(table_, manifest, cache_.get());
  return WithContext(manifest.manifest_path, [&] {
    iceberg::EntryWalk walk(std::move(bytes), manifest, spec, type, iceberg::SpecKey(spec, type),
                            *cache_);
    return std::make_shared<const ManifestRows>(std::move(walk), manifest);
  });
}

std::function<void(size_t part)> ManifestParts::fetch() const {
  if (!table_.io->waits()) return nullptr;
  return [self = *this](size_t part) {
    iceberg::FetchManifest(self.table_, self.file(part), self.cache_.get());
  };
}

std::function<int64_t(size_t part)> ManifestParts::bytes() const {
  // What a manifest comes to once it is inflated and its entries are Arrow rows with all metrics.
  constexpr int64_t kDecodedRatio = 16;
  return [files = files_](size_t part) { return (*files)[part].manifest_length * kDecodedRatio; };
}

namespace {

bool IsChosen(const ManifestFile& file, ManifestChoice choice) {
  return choice == ManifestChoice::kAll ||
         file.is_delete_manifest() == (choice == ManifestChoice::kDeletes);
}

}  // namespace

ManifestParts SnapshotManifests(const iceberg::Table& table, const iceberg::Snapshot* snapshot,
                                ManifestChoice choice) {
  std::vector<ManifestFile> files = iceberg::ReadManifests(table, snapshot);
  std::erase_if(files, [choice](const ManifestFile& file) { return !IsChosen(file, choice); });
  return {table, std::move(files)};
}

ManifestParts AllManifests(const iceberg::Table& table, ManifestChoice choice) {
  std::vector<ManifestFile> files;
  std::unordered_set<std::string> seen;
  for (const iceberg::Snapshot& snapshot : table.metadata->snapshots) {
    for (ManifestFile& file : iceberg::ReadManifests(table, &snapshot)) {
      if (!IsChosen(file, choice) || !seen.insert(file.manifest_path).second) continue;
      files.push_back(std::move(file));
    }
  }
  return {table, std::move(files)};
}

}  // namespace nunatak
