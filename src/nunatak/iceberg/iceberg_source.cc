#include "nunatak/iceberg/iceberg_source.h"

#include <fmt/format.h>

#include <string>
#include <unordered_map>
#include <utility>

#include "nunatak/avro/container.h"
#include "nunatak/base/error.h"
#include "nunatak/iceberg/disk_cache.h"
#include "nunatak/iceberg/manifest_columns.h"
#include "nunatak/iceberg/manifest_reader.h"
#include "nunatak/iceberg/partition_types.h"

namespace nunatak::iceberg {

namespace {

/// Reads a file that the table's metadata names: when it is missing, the table is broken.
Buffer ReadReferenced(const Table& table, const std::string& location, std::string_view what,
                      ManifestCache* cache) {
  try {
    return ReadCached(*table.io, location, cache);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kNotFound) throw;
    ThrowInvalid(fmt::format("{} is missing: {}", what, error.message()),
                 "it was deleted, or the table was moved: see --moved and --relocate");
  }
}

/// What the columns of a manifest depend on: the table, where it lies and how long it is, and what
/// it inherits from its manifest list.
std::string ColumnsKey(const Table& table, const ManifestFile& file, std::string_view spec_key) {
  return fmt::format("{} {}\n{} {} {} {} {}\n{}", table.metadata->table_uuid.value_or(""),
                     table.io->locations().Map(file.manifest_path), file.manifest_length,
                     static_cast<int>(file.content), file.sequence_number,
                     file.added_snapshot_id.value_or(-1), file.first_row_id.value_or(-1), spec_key);
}

/// The same for a cache that outlives the process: what the storage can tell of the file for next
/// to nothing is part of it, since Iceberg never rewrites a manifest, but people replace whole
/// tables. Empty when too little is known to keep the manifest.
std::string DiskKey(const Table& table, const ManifestFile& file, const std::string& columns_key) {
  const std::optional<std::string> stamp = table.io->Stamp(file.manifest_path);
  if (!stamp || (stamp->empty() && !table.metadata->table_uuid)) return "";
  return fmt::format("{}\n{}", columns_key, *stamp);
}

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

const PartitionSpec& SpecOf(const TableMetadata& metadata, const ManifestFile& file) {
  const PartitionSpec* spec = metadata.FindSpec(file.partition_spec_id);
  if (spec) return *spec;
  ThrowInvalid(fmt::format("{}: the table has no partition spec {}", file.manifest_path,
                           file.partition_spec_id));
}

/// A spec with all that is derived from it once.
struct SpecShape {
  PartitionSpec spec;
  Type partition_type;
  /// Tells specs and types apart in a cache.
  std::string key;
};

SpecShape MakeSpecShape(const TableMetadata& metadata, const PartitionSpec& spec) {
  SpecShape shape{spec, PartitionTypeOf(metadata, spec), ""};
  shape.key = SpecKey(spec, shape.partition_type);
  return shape;
}

class ManifestRead final : public GroupRead {
 public:
  ManifestRead(const Table& table, ManifestCache& cache, const ManifestFile& file,
               const SpecShape& spec, const FileRequest& request)
      : table_(table), cache_(cache), file_(file), spec_(spec), request_(request) {
    if (cache.keeps_columns()) key_ = ColumnsKey(table, file, spec.key);
  }

  void Fetch() override {
    RefuseEncrypted(file_);
    if (cache_.keeps_columns()) columns_ = cache_.FindColumns(key_);
    if (!columns_ && cache_.disk()) FindOnDisk();
    if (!columns_) FetchBytes();
  }

  std::shared_ptr<const FileBatch> Decode(const Context& context) override {
    if (columns_) {
      if (auto batch = columns_->Batch(columns_, request_)) return batch;
      // It was on disk when it was looked at first, and is gone now.
      if (cache_.disk()) disk_key_ = DiskKey(table_, file_, key_);
      FetchBytes();
    }
    return WithContext(file_.manifest_path, [&] {
      const auto columns = ReadManifestColumns(context, std::move(bytes_), file_, spec_.spec,
                                               spec_.partition_type, spec_.key, cache_);
      if (cache_.keeps_columns()) cache_.KeepColumns(key_, columns);
      if (!disk_key_.empty()) cache_.disk()->Keep(context, disk_key_, columns);
      return columns->Batch(columns, request_);
    });
  }

 private:
  void FetchBytes() { bytes_ = ReadReferenced(table_, file_.manifest_path, "manifest", &cache_); }

  void FindOnDisk() {
    disk_key_ = DiskKey(table_, file_, key_);
    if (disk_key_.empty()) return;
    columns_ = cache_.disk()->Find({.key = disk_key_,
                                    .content = file_.content,
                                    .spec_id = spec_.spec.spec_id,
                                    .partition_type = spec_.partition_type},
                                   request_);
    if (columns_) cache_.KeepColumns(key_, columns_);
  }

  const Table& table_;
  ManifestCache& cache_;
  const ManifestFile& file_;
  const SpecShape& spec_;
  const FileRequest& request_;
  /// Empty when the cache keeps no columns.
  std::string key_;
  /// Empty when the disk is not to be asked.
  std::string disk_key_;
  Buffer bytes_;
  std::shared_ptr<const DecodedManifest> columns_;
};

class IcebergSource final : public SnapshotSource {
 public:
  IcebergSource(const Table& table, const ChosenSnapshot& snapshot,
                std::shared_ptr<ManifestCache> cache)
      : table_(table),
        schema_(snapshot.schema),
        cache_(cache ? std::move(cache) : CacheOfOneScan()),
        manifests_(ReadManifests(table, snapshot.snapshot, cache_.get())) {
    if (snapshot.snapshot) snapshot_id_ = snapshot.snapshot->snapshot_id;
    groups_.reserve(manifests_.size());
    for (ManifestFile& file : manifests_) {
      auto at = specs_.find(file.partition_spec_id);
      if (at == specs_.end()) {
        const PartitionSpec& spec = SpecOf(*table_.metadata, file);
        at = specs_.emplace(spec.spec_id, MakeSpecShape(*table_.metadata, spec)).first;
      }
      groups_.push_back(GroupOf(file, at->second.spec));
    }
  }

  std::optional<int64_t> snapshot_id() const override { return snapshot_id_; }
  const Schema& schema() const override { return schema_; }
  const Field* FindField(int32_t id) const override {
    if (const Field* field = schema_.FindField(id)) return field;
    const LazyList<Schema>& schemas = table_.metadata->schemas;
    for (size_t i = schemas.size(); i > 0; --i) {
      if (!schemas.At(i - 1).FindField(id)) continue;
      return schemas.Find(schemas.id(i - 1))->FindField(id);
    }
    return nullptr;
  }
  const PartitionSpec& spec(int32_t spec_id) const override {
    const PartitionSpec* spec = table_.metadata->FindSpec(spec_id);
    if (!spec) ThrowInvalid(fmt::format("the table has no partition spec {}", spec_id));
    return *spec;
  }
  std::span<const FileGroup> groups() const override { return groups_; }
  bool fetching_waits() const override { return table_.io->waits(); }

  std::unique_ptr<GroupRead> OpenGroup(size_t group, const FileRequest& request) const override {
    const ManifestFile& file = manifests_[group];
    return std::make_unique<ManifestRead>(table_, *cache_, file, specs_.at(file.partition_spec_id),
                                          request);
  }

 private:
  /// Shapes alone: a scan by itself reads each file once.
  static std::shared_ptr<ManifestCache> CacheOfOneScan() {
    return std::make_shared<ManifestCache>(
        ManifestCacheOptions{.max_file_bytes = 0, .max_column_bytes = 0});
  }

  /// Takes the file's summaries.
  static FileGroup GroupOf(ManifestFile& file, const PartitionSpec& spec) {
    FileGroup group;
    group.deletes = file.is_delete_manifest();
    group.partition_spec_id = spec.spec_id;
    // Summaries are positional: another number of them belongs to another spec, and says nothing.
    if (file.partitions && file.partitions->size() == spec.fields.size()) {
      group.partitions = std::move(file.partitions);
    }
    file.partitions.reset();
    group.live_files = file.live_files();
    group.length = file.manifest_length;
    return group;
  }

  Table table_;
  Schema schema_;
  std::shared_ptr<ManifestCache> cache_;
  /// Without their summaries, which the groups have.
  std::vector<ManifestFile> manifests_;
  std::optional<int64_t> snapshot_id_;
  std::unordered_map<int32_t, SpecShape> specs_;
  std::vector<FileGroup> groups_;
};

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

Manifest ReadManifest(const Table& table, const ManifestFile& file, ManifestCache* cache) {
  const PartitionSpec& spec = SpecOf(*table.metadata, file);
  const Buffer bytes = ReadReferenced(table, file.manifest_path, "manifest", cache);
  return WithContext(file.manifest_path, [&] {
    return ReadManifest(bytes.bytes, file, spec, PartitionTypeOf(*table.metadata, spec), cache);
  });
}

std::shared_ptr<const SnapshotSource> MakeSnapshotSource(const Table& table,
                                                         const ChosenSnapshot& snapshot,
                                                         std::shared_ptr<ManifestCache> cache) {
  return std::make_shared<IcebergSource>(table, snapshot, std::move(cache));
}

}  // namespace nunatak::iceberg
