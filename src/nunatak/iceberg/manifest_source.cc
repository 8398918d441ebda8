#include "nunatak/iceberg/manifest_source.h"

#include <fmt/format.h>

#include <string>
#include <unordered_map>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/iceberg/disk_cache.h"
#include "nunatak/iceberg/manifest_columns.h"
#include "nunatak/iceberg/manifest_reader.h"
#include "nunatak/iceberg/partition_types.h"
#include "nunatak/plan/file_subset.h"

namespace nunatak::iceberg {

namespace {

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

/// The files of a manifest that one of some snapshots added in it.
class AddedFilesRead final : public GroupRead {
 public:
  AddedFilesRead(std::unique_ptr<GroupRead> read, const std::set<int64_t>& added_by)
      : read_(std::move(read)), added_by_(added_by) {}

  void Fetch() override { read_->Fetch(); }

  std::shared_ptr<const FileBatch> Decode(const Context& context) override {
    std::shared_ptr<const FileBatch> batch = read_->Decode(context);
    std::vector<uint32_t> positions;
    for (uint32_t i = 0; i < batch->size(); ++i) {
      const std::optional<int64_t> snapshot_id = batch->SnapshotId(i);
      if (batch->IsAdded(i) && snapshot_id && added_by_.contains(*snapshot_id)) {
        positions.push_back(i);
      }
    }
    return SubsetOf(std::move(batch), std::move(positions));
  }

 private:
  std::unique_ptr<GroupRead> read_;
  const std::set<int64_t>& added_by_;
};

class ManifestSource final : public SnapshotSource {
 public:
  ManifestSource(const Table& table, SourceManifests manifests,
                 std::shared_ptr<ManifestCache> cache)
      : table_(table),
        schema_(std::move(manifests.schema)),
        cache_(std::move(cache)),
        manifests_(std::move(manifests.files)),
        snapshot_id_(manifests.snapshot_id),
        added_by_(std::move(manifests.added_by)) {
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
    auto read = std::make_unique<ManifestRead>(table_, *cache_, file,
                                               specs_.at(file.partition_spec_id), request);
    if (!added_by_) return read;
    return std::make_unique<AddedFilesRead>(std::move(read), *added_by_);
  }

 private:
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
  std::optional<std::set<int64_t>> added_by_;
  std::unordered_map<int32_t, SpecShape> specs_;
  std::vector<FileGroup> groups_;
};

}  // namespace

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

const PartitionSpec& SpecOf(const TableMetadata& metadata, const ManifestFile& file) {
  const PartitionSpec* spec = metadata.FindSpec(file.partition_spec_id);
  if (spec) return *spec;
  ThrowInvalid(fmt::format("{}: the table has no partition spec {}", file.manifest_path,
                           file.partition_spec_id));
}

std::shared_ptr<const SnapshotSource> MakeManifestSource(const Table& table,
                                                         SourceManifests manifests,
                                                         std::shared_ptr<ManifestCache> cache) {
  return std::make_shared<ManifestSource>(table, std::move(manifests), std::move(cache));
}

}  // namespace nunatak::iceberg
