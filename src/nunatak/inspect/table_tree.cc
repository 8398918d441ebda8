#include "nunatak/inspect/table_tree.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "nunatak/iceberg/iceberg_source.h"
#include "nunatak/iceberg/partition_types.h"
#include "nunatak/inspect/partition_text.h"
#include "nunatak/inspect/size_text.h"

namespace nunatak {

using iceberg::ManifestEntry;
using nlohmann::ordered_json;

namespace {

constexpr std::string_view kStatusNames[] = {"EXISTING", "ADDED", "DELETED"};

std::string_view FileName(std::string_view location) {
  return location.substr(location.rfind('/') + 1);
}

/// "country=US/day=2026-06-01"; "" for an unpartitioned file.
std::string PartitionPath(const PartitionSpec& spec, const Type& type,
                          std::span<const Value> tuple) {
  std::string path;
  for (size_t i = 0; i < spec.fields.size() && i < tuple.size(); ++i) {
    path += fmt::format(
        "{}{}={}", path.empty() ? "" : "/", spec.fields[i].name,
        PartitionText(spec.fields[i].transform, type.fields()[i].type, tuple[i].view()));
  }
  return path;
}

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

ordered_json ManifestNode(const iceberg::Table& table, const iceberg::ManifestFile& file) {
  const iceberg::Manifest manifest = iceberg::ReadManifest(table, file);
  const Type type = iceberg::PartitionTypeOf(*table.metadata, manifest.partition_spec);
  ordered_json files = ordered_json::array();
  for (const ManifestEntry& entry : manifest.entries) {
    files.push_back(
        FileNode(entry, PartitionPath(manifest.partition_spec, type, entry.data_file.partition)));
  }
  return {{"path", file.manifest_path},
          {"length", file.manifest_length},
          {"content", file.is_delete_manifest() ? "deletes" : "data"},
          {"partition_spec_id", file.partition_spec_id},
          {"sequence_number", file.sequence_number},
          {"files", std::move(files)}};
}

ordered_json SnapshotNode(const iceberg::Table& table, const iceberg::Snapshot& snapshot) {
  ordered_json manifests = ordered_json::array();
  for (const iceberg::ManifestFile& file : iceberg::ReadManifests(table, &snapshot)) {
    manifests.push_back(ManifestNode(table, file));
  }
  return {{"snapshot_id", snapshot.snapshot_id},
          {"operation", snapshot.operation ? ordered_json(*snapshot.operation) : ordered_json()},
          {"sequence_number", snapshot.sequence_number},
          {"manifest_list",
           snapshot.manifest_list ? ordered_json(*snapshot.manifest_list) : ordered_json()},
          {"manifests", std::move(manifests)}};
}

}  // namespace

ordered_json TableTree(const iceberg::Table& table, const iceberg::Snapshot* snapshot) {
  return {{"metadata_location", table.metadata_location},
          {"format_version", table.metadata->format_version},
          {"snapshots", table.metadata->snapshots.size()},
          {"snapshot", snapshot ? SnapshotNode(table, *snapshot) : ordered_json()}};
}

namespace {

std::string Counted(size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string FileLine(const ordered_json& file) {
  const auto partition = file["partition"].get<std::string>();
  const auto content = file["content"].get<std::string>();
  return fmt::format(
      "{}  {}{}  {}, {}{}", file["status"].get<std::string>(),
      FileName(file["file_path"].get_ref<const std::string&>()),
      partition.empty() ? "" : "  " + partition, Counted(file["record_count"].get<size_t>(), "row"),
      SizeText(file["file_size_in_bytes"].get<int64_t>()), content == "data" ? "" : "  " + content);
}

std::string ManifestLine(const ordered_json& manifest) {
  const bool data = manifest["content"] == "data";
  return fmt::format("{}manifest  {}  {}, {}", data ? "" : "delete ",
                     FileName(manifest["path"].get_ref<const std::string&>()),
                     Counted(manifest["files"].size(), "file"),
                     SizeText(manifest["length"].get<int64_t>()));
}

std::string SnapshotLine(const ordered_json& snapshot) {
  std::string line = fmt::format("snapshot {}", snapshot["snapshot_id"].get<int64_t>());
  if (!snapshot["operation"].is_null()) {
    line += "  " + snapshot["operation"].get<std::string>();
  }
  if (!snapshot["manifest_list"].is_null()) {
    line += fmt::format("  {}", FileName(snapshot["manifest_list"].get_ref<const std::string&>()));
  }
  return line + "  " + Counted(snapshot["manifests"].size(), "manifest");
}

}  // namespace

std::string TreeText(const ordered_json& tree) {
  std::string text = fmt::format("{}  (format version {}, {})\n",
                                 FileName(tree["metadata_location"].get_ref<const std::string&>()),
                                 tree["format_version"].get<int>(),
                                 Counted(tree["snapshots"].get<size_t>(), "snapshot"));
  const ordered_json& snapshot = tree["snapshot"];
  if (snapshot.is_null()) return text + "└── no snapshot: the table has no rows\n";
  text += "└── " + SnapshotLine(snapshot) + "\n";
  const ordered_json& manifests = snapshot["manifests"];
  for (size_t m = 0; m < manifests.size(); ++m) {
    const bool last = m + 1 == manifests.size();
    text += fmt::format("    {}── {}\n", last ? "└" : "├", ManifestLine(manifests[m]));
    const ordered_json& files = manifests[m]["files"];
    for (size_t f = 0; f < files.size(); ++f) {
      text += fmt::format("    {}   {}── {}\n", last ? " " : "│", f + 1 == files.size() ? "└" : "├",
                          FileLine(files[f]));
    }
  }
  return text;
}

}  // namespace nunatak
