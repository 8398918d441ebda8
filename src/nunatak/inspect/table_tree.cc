#include "nunatak/inspect/table_tree.h"

#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "nunatak/iceberg/iceberg_source.h"
#include "nunatak/iceberg/partition_types.h"
#include "nunatak/inspect/json_values.h"
#include "nunatak/inspect/partition_text.h"

namespace nunatak {

using iceberg::ManifestEntry;
using iceberg::ManifestFile;
using nlohmann::ordered_json;

namespace {

constexpr std::string_view kStatusNames[] = {"EXISTING", "ADDED", "DELETED"};

/// The layers, by `TreeOptions::depth`.
constexpr int kSnapshotDepth = 2;
constexpr int kManifestDepth = 3;
constexpr int kFileDepth = 4;

ordered_json FileNode(const ManifestEntry& entry, const std::string& partition) {
  const DataFile& file = entry.data_file;
  return {{"status", kStatusNames[static_cast<size_t>(entry.status)]},
          {"content", ToString(file.content)},
          {"file_path", file.file_path},
          {"file_format", ToString(file.file_format)},
          {"partition", partition},
          {"record_count", file.record_count},
          {"file_size_in_bytes", file.file_size_in_bytes},
          {"sequence_number", entry.sequence_number}};
}

/// Makes the nodes of one tree; remembers which manifests it has shown.
class TreeBuilder {
 public:
  TreeBuilder(const iceberg::Table& table, int depth) : table_(table), depth_(depth) {}

  ordered_json SnapshotNode(const iceberg::Snapshot& snapshot);

 private:
  ordered_json ManifestNode(const ManifestFile& file, int64_t snapshot_id);
  ordered_json FileNodes(const ManifestFile& file) const;

  const iceberg::Table& table_;
  int depth_;
  /// The snapshot below which a manifest was shown first.
  std::unordered_map<std::string, int64_t> shown_under_;
};

ordered_json TreeBuilder::FileNodes(const ManifestFile& file) const {
  const iceberg::Manifest manifest =
      iceberg::ReadManifest(table_, file, nullptr, {.column_metrics = false});
  const Type type = iceberg::PartitionTypeOf(*table_.metadata, manifest.partition_spec);
  ordered_json files = ordered_json::array();
  for (const ManifestEntry& entry : manifest.entries) {
    files.push_back(
        FileNode(entry, PartitionPath(manifest.partition_spec, type, entry.data_file.partition)));
  }
  return files;
}

ordered_json TreeBuilder::ManifestNode(const ManifestFile& file, int64_t snapshot_id) {
  ordered_json node = {{"path", file.manifest_path},
                       {"length", file.manifest_length},
                       {"content", file.is_delete_manifest() ? "deletes" : "data"},
                       {"partition_spec_id", file.partition_spec_id},
                       {"sequence_number", file.sequence_number},
                       {"added_snapshot_id", OrNull(file.added_snapshot_id)},
                       {"added_files_count", OrNull(file.added_files_count)},
                       {"existing_files_count", OrNull(file.existing_files_count)},
                       {"deleted_files_count", OrNull(file.deleted_files_count)}};
  const auto [first, is_new] = shown_under_.emplace(file.manifest_path, snapshot_id);
  if (!is_new) {
    node["shared_with"] = first->second;
  } else if (depth_ >= kFileDepth) {
    node["files"] = FileNodes(file);
  }
  return node;
}

ordered_json TreeBuilder::SnapshotNode(const iceberg::Snapshot& snapshot) {
  ordered_json node = {{"snapshot_id", snapshot.snapshot_id},
                       {"parent_id", OrNull(snapshot.parent_snapshot_id)},
                       {"committed_at", TimeJson(snapshot.timestamp_ms)},
                       {"operation", OrNull(snapshot.operation)},
                       {"sequence_number", snapshot.sequence_number},
                       {"refs", ordered_json::array()},
                       {"manifest_list", OrNull(snapshot.manifest_list)}};
  for (const auto& [name, ref] : table_.metadata->refs) {
    if (ref.snapshot_id == snapshot.snapshot_id) node["refs"].push_back(name);
  }
  for (const char* total : {"total-records", "total-data-files", "total-delete-files"}) {
    const auto at = snapshot.summary.find(total);
    node[total] = at == snapshot.summary.end() ? ordered_json() : ordered_json(at->second);
  }
  if (depth_ < kManifestDepth) return node;
  ordered_json manifests = ordered_json::array();
  for (const ManifestFile& file : iceberg::ReadManifests(table_, &snapshot)) {
    manifests.push_back(ManifestNode(file, snapshot.snapshot_id));
  }
  node["manifests"] = std::move(manifests);
  return node;
}

}  // namespace

ordered_json TableTree(const iceberg::Table& table, const TreeOptions& options) {
  const iceberg::TableMetadata& metadata = *table.metadata;
  ordered_json tree = {{"metadata_location", table.metadata_location},
                       {"format_version", metadata.format_version},
                       {"earlier_metadata_files", metadata.metadata_log.size()},
                       {"snapshot_count", metadata.snapshots.size()}};
  if (options.depth < kSnapshotDepth) return tree;
  TreeBuilder builder(table, options.depth);
  ordered_json snapshots = ordered_json::array();
  if (options.all_snapshots) {
    for (const iceberg::Snapshot& snapshot : metadata.snapshots) {
      snapshots.push_back(builder.SnapshotNode(snapshot));
    }
  } else if (options.snapshot) {
    snapshots.push_back(builder.SnapshotNode(*options.snapshot));
  }
  tree["snapshots"] = std::move(snapshots);
  return tree;
}

}  // namespace nunatak
