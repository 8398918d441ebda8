#include <fmt/format.h>

#include <string_view>
#include <utility>
#include <vector>

#include "nunatak/base/display_width.h"
#include "nunatak/inspect/counted.h"
#include "nunatak/inspect/size_text.h"
#include "nunatak/inspect/table_tree.h"
#include "nunatak/inspect/tree_lines.h"

namespace nunatak {

using nlohmann::ordered_json;

namespace {

std::string Text(const ordered_json& value) { return OneLine(value.get_ref<const std::string&>()); }

std::string FileName(const ordered_json& location) {
  const std::string text = Text(location);
  return text.substr(text.rfind('/') + 1);
}

std::string FileLine(const ordered_json& file) {
  const std::string partition = Text(file["partition"]);
  const auto content = file["content"].get<std::string>();
  return fmt::format("{}  {}{}  {}, {}{}", file["status"].get<std::string>(),
                     FileName(file["file_path"]), partition.empty() ? "" : "  " + partition,
                     Counted(file["record_count"].get<int64_t>(), "row"),
                     SizeText(file["file_size_in_bytes"].get<int64_t>()),
                     content == "data" ? "" : "  " + content);
}

/// "2 added, 1 deleted"; "" where the manifest list has no counts.
std::string EntriesText(const ordered_json& manifest) {
  constexpr std::pair<const char*, std::string_view> kCounts[] = {
      {"added_files_count", "added"},
      {"existing_files_count", "existing"},
      {"deleted_files_count", "deleted"}};
  std::string text;
  for (const auto& [key, name] : kCounts) {
    const ordered_json& count = manifest[key];
    if (count.is_null() || count == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count.get<int64_t>(), name);
  }
  return text;
}

std::string ManifestLine(const ordered_json& manifest) {
  const std::string entries = EntriesText(manifest);
  std::string line =
      fmt::format("{}manifest  {}  {}{}", manifest["content"] == "data" ? "" : "delete ",
                  FileName(manifest["path"]), entries.empty() ? "" : entries + ", ",
                  SizeText(manifest["length"].get<int64_t>()));
  if (manifest.contains("shared_with")) {
    line += fmt::format("  shared with snapshot {}", manifest["shared_with"].get<int64_t>());
  }
  return line;
}

std::string SnapshotLine(const ordered_json& snapshot) {
  std::string line = fmt::format("snapshot {}", snapshot["snapshot_id"].get<int64_t>());
  if (!snapshot["operation"].is_null()) line += "  " + Text(snapshot["operation"]);
  for (const ordered_json& ref : snapshot["refs"]) line += "  [" + Text(ref) + "]";
  if (!snapshot["total-records"].is_null()) {
    line += "  " + Text(snapshot["total-records"]) + " rows";
  }
  if (!snapshot["manifest_list"].is_null()) {
    line += fmt::format("  {}", FileName(snapshot["manifest_list"]));
  }
  if (snapshot.contains("manifests")) {
    line += "  " + Counted(static_cast<int64_t>(snapshot["manifests"].size()), "manifest");
  }
  return line;
}

void DrawFiles(const ordered_json& manifest, const std::string& prefix, std::string* text) {
  if (manifest.contains("files")) DrawNodes(manifest["files"], prefix, FileLine, nullptr, text);
}

void DrawManifests(const ordered_json& snapshot, const std::string& prefix, std::string* text) {
  if (!snapshot.contains("manifests")) return;
  DrawNodes(snapshot["manifests"], prefix, ManifestLine, DrawFiles, text);
}

}  // namespace

std::string TreeText(const ordered_json& tree) {
  std::string text = fmt::format(
      "{}  (format version {}, {}, {})\n", FileName(tree["metadata_location"]),
      tree["format_version"].get<int>(), Counted(tree["snapshot_count"].get<int64_t>(), "snapshot"),
      Counted(tree["earlier_metadata_files"].get<int64_t>(), "earlier metadata file"));
  if (!tree.contains("snapshots")) return text;
  if (tree["snapshots"].empty()) return text + "└── no snapshot: the table has no rows\n";
  DrawNodes(tree["snapshots"], "", SnapshotLine, DrawManifests, &text);
  return text;
}

}  // namespace nunatak
