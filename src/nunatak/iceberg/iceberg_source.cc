#include "nunatak/iceberg/iceberg_source.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "nunatak/avro/container.h"
#include "nunatak/base/error.h"
#include "nunatak/iceberg/manifest_batch.h"
#include "nunatak/iceberg/manifest_reader.h"
#include "nunatak/iceberg/partition_types.h"

namespace nunatak::iceberg {

namespace {

/// Reads a file that the table's metadata names: when it is missing, the table is broken.
Buffer ReadReferenced(FileIO& io, const std::string& location, std::string_view what) {
  try {
    return io.ReadAll(location);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kNotFound) throw;
    ThrowInvalid(fmt::format("{} is missing: {}", what, error.message()),
                 "it was deleted, or the table was moved: see --moved and --relocate");
  }
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
ManifestFile InlineManifest(FileIO& io, const std::string& location, int64_t snapshot_id) {
  const Buffer bytes = ReadReferenced(io, location, "manifest");
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

class IcebergSource final : public SnapshotSource {
 public:
  IcebergSource(const Table& table, const ChosenSnapshot& snapshot)
      : table_(table),
        schema_(snapshot.schema),
        manifests_(ReadManifests(table, snapshot.snapshot)) {
    if (snapshot.snapshot) snapshot_id_ = snapshot.snapshot->snapshot_id;
    for (const ManifestFile& file : manifests_) {
      const PartitionSpec& spec = SpecOf(*table_.metadata, file);
      if (!partition_types_.contains(spec.spec_id)) {
        partition_types_.emplace(spec.spec_id, PartitionTypeOf(*table_.metadata, spec));
      }
      groups_.push_back(GroupOf(file, spec));
    }
  }

  std::optional<int64_t> snapshot_id() const override { return snapshot_id_; }
  const Schema& schema() const override { return schema_; }
  const Field* FindField(int32_t id) const override {
    if (const Field* field = schema_.FindField(id)) return field;
    const std::vector<Schema>& schemas = table_.metadata->schemas;
    for (auto schema = schemas.rbegin(); schema != schemas.rend(); ++schema) {
      if (const Field* field = schema->FindField(id)) return field;
    }
    return nullptr;
  }
  const PartitionSpec& spec(int32_t spec_id) const override {
    const PartitionSpec* spec = table_.metadata->FindSpec(spec_id);
    if (!spec) ThrowInvalid(fmt::format("the table has no partition spec {}", spec_id));
    return *spec;
  }
  std::span<const FileGroup> groups() const override { return groups_; }

  std::shared_ptr<const FileBatch> ReadGroup(const Context& context, size_t group,
                                             const FileRequest& request) const override {
    context.CheckStop();
    const ManifestFile& file = manifests_[group];
    Buffer bytes = ReadReferenced(*table_.io, file.manifest_path, "manifest");
    return WithContext(file.manifest_path, [&] {
      return ReadManifestBatch(std::move(bytes), file, spec(file.partition_spec_id),
                               partition_types_.at(file.partition_spec_id), request);
    });
  }

 private:
  static FileGroup GroupOf(const ManifestFile& file, const PartitionSpec& spec) {
    FileGroup group;
    group.deletes = file.is_delete_manifest();
    group.partition_spec_id = spec.spec_id;
    // Summaries are positional: another number of them belongs to another spec, and says nothing.
    if (file.partitions && file.partitions->size() == spec.fields.size()) {
      group.partitions = file.partitions;
    }
    group.live_files = file.live_files();
    group.location = file.manifest_path;
    group.length = file.manifest_length;
    return group;
  }

  Table table_;
  Schema schema_;
  std::vector<ManifestFile> manifests_;
  std::optional<int64_t> snapshot_id_;
  std::map<int32_t, Type> partition_types_;
  std::vector<FileGroup> groups_;
};

}  // namespace

std::vector<ManifestFile> ReadManifests(const Table& table, const Snapshot* snapshot) {
  if (!snapshot) return {};
  if (snapshot->manifest_list) {
    const std::string& location = *snapshot->manifest_list;
    const Buffer bytes = ReadReferenced(*table.io, location, "manifest list");
    return WithContext(location, [&] {
      std::vector<ManifestFile> files = ReadManifestList(bytes.bytes);
      CheckNotCut(*snapshot, files);
      return files;
    });
  }
  std::vector<ManifestFile> files;
  for (const std::string& location : snapshot->manifests) {
    files.push_back(InlineManifest(*table.io, location, snapshot->snapshot_id));
  }
  return files;
}

Manifest ReadManifest(const Table& table, const ManifestFile& file) {
  const PartitionSpec& spec = SpecOf(*table.metadata, file);
  const Buffer bytes = ReadReferenced(*table.io, file.manifest_path, "manifest");
  return WithContext(file.manifest_path, [&] {
    return ReadManifest(bytes.bytes, file, spec, PartitionTypeOf(*table.metadata, spec));
  });
}

std::shared_ptr<const SnapshotSource> MakeSnapshotSource(const Table& table,
                                                         const ChosenSnapshot& snapshot) {
  return std::make_shared<IcebergSource>(table, snapshot);
}

}  // namespace nunatak::iceberg
