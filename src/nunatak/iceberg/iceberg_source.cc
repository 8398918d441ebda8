#include "nunatak/iceberg/iceberg_source.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "nunatak/avro/container.h"
#include "nunatak/base/error.h"
#include "nunatak/iceberg/manifest_reader.h"
#include "nunatak/iceberg/manifest_source.h"
#include "nunatak/iceberg/partition_types.h"

namespace nunatak::iceberg {

namespace {

/// An empty manifest list of a snapshot that counts files was cut before its first block, where it
/// is otherwise a whole one.
void CheckNotCut(const Snapshot& snapshot, const std::vector<ManifestFile>& files) {
  if (!files.empty()) return;
  for (const char* total : {"total-data-files", "total-delete-files"}) {
    const auto at = snapshot.summary.find(total);
    if (at == snapshot.summary.end() || at->second == "0") continue;
    ThrowInvalid(fmt::format("the manifest list is empty, where the snapshot's summary has {} {}",
                             total, at->second),
                 "the file was truncated");
  }
}

/// An entry for a manifest that a v1 snapshot lists inline, from the manifest's own header.
ManifestFile InlineManifest(const Table& table, const std::string& location, int64_t snapshot_id,
                            ManifestCache* cache) {
  const Buffer bytes = ReadReferenced(table, location, "manifest", cache);
  return WithContext(location, [&] {
    ManifestFile file;
    file.manifest_path = location;
    file.manifest_length = static_cast<int64_t>(bytes.size());
    file.partition_spec_id =
        ReadManifestHeader(avro::Container(bytes.bytes)).partition_spec_id.value_or(0);
    file.added_snapshot_id = snapshot_id;
    return file;
  });
}

}  // namespace

std::vector<ManifestFile> ReadManifests(const Table& table, const Snapshot* snapshot,
                                        ManifestCache* cache) {
  if (!snapshot) return {};
  if (snapshot->manifest_list) {
    const std::string& location = *snapshot->manifest_list;
    const Buffer bytes = ReadReferenced(table, location, "manifest list", cache);
    return WithContext(location, [&] {
      std::vector<ManifestFile> files = ReadManifestList(bytes.bytes, cache);
      CheckNotCut(*snapshot, files);
      return files;
    });
  }
  std::vector<ManifestFile> files;
  for (const std::string& location : snapshot->manifests) {
    files.push_back(InlineManifest(table, location, snapshot->snapshot_id, cache));
  }
  return files;
}

Manifest ReadManifest(const Table& table, const ManifestFile& file, ManifestCache* cache,
                      const ManifestReadOptions& options) {
  const PartitionSpec& spec = SpecOf(*table.metadata, file);
  const Buffer bytes = FetchManifest(table, file, cache);
  return WithContext(file.manifest_path, [&] {
    return ReadManifest(bytes.bytes, file, spec, PartitionTypeOf(*table.metadata, spec), cache,
                        options);
  });
}

Buffer FetchManifest(const Table& table, const ManifestFile& file, ManifestCache* cache) {
  return ReadReferenced(table, file.manifest_path, "manifest", cache);
}

std::shared_ptr<ManifestCache> CacheOfOneScan() {
  return std::make_shared<ManifestCache>(
      ManifestCacheOptions{.max_file_bytes = 0, .max_column_bytes = 0});
}

std::shared_ptr<const SnapshotSource> MakeSnapshotSource(const Table& table,
                                                         const ChosenSnapshot& snapshot,
                                                         std::shared_ptr<ManifestCache> cache) {
  if (!cache) cache = CacheOfOneScan();
  SourceManifests manifests{.files = ReadManifests(table, snapshot.snapshot, cache.get()),
                            .snapshot_id = std::nullopt,
                            .schema = snapshot.schema};
  if (snapshot.snapshot) manifests.snapshot_id = snapshot.snapshot->snapshot_id;
  return MakeManifestSource(table, std::move(manifests), std::move(cache));
}

}  // namespace nunatak::iceberg
