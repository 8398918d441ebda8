#include "nunatak/inspect/delta_tree.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "nunatak/base/display_width.h"
#include "nunatak/inspect/size_text.h"
#include "nunatak/inspect/source_files.h"
#include "nunatak/inspect/tree_lines.h"

namespace nunatak {

using nlohmann::ordered_json;

namespace {

constexpr int kPartDepth = 2;
constexpr int kFileDepth = 3;

std::string NameOf(std::string_view location) {
  return OneLine(location.substr(location.rfind('/') + 1));
}

std::string Counted(int64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

/// "commit 3", "commits 3 to 7"
std::string CommitsText(const delta::LogSegment& segment) {
  if (segment.commits.empty()) return "no commits";
  const int64_t first = segment.commits.front().name.version;
  return first == segment.version ? fmt::format("commit {}", first)
                                  : fmt::format("commits {} to {}", first, segment.version);
}

/// What holds the files of each group of the snapshot's source, in their order.
std::vector<std::string> PartNames(const delta::Snapshot& snapshot) {
  std::vector<std::string> names;
  for (const delta::AddsFile& file : snapshot.checkpoint_adds) names.push_back(file.location);
  if (snapshot.checkpoint_json_adds && snapshot.checkpoint_json_adds->size() > 0) {
    names.push_back(snapshot.segment.checkpoint->files.front().info.location);
  }
  if (snapshot.commit_adds && snapshot.commit_adds->size() > 0) {
    names.push_back(CommitsText(snapshot.segment));
  }
  return names;
}

ordered_json FileNode(const DataFile& file) {
  return {
      {"file_path", file.file_path},
      {"record_count", file.record_count < 0 ? ordered_json() : ordered_json(file.record_count)},
      {"file_size_in_bytes", file.file_size_in_bytes}};
}

ordered_json PartNode(const std::string& name, const std::vector<DataFile>& files, int depth) {
  int64_t bytes = 0;
  for (const DataFile& file : files) bytes += file.file_size_in_bytes;
  ordered_json node = {{"name", name}, {"files_count", files.size()}, {"size", bytes}};
  if (depth < kFileDepth) return node;
  node["files"] = ordered_json::array();
  for (const DataFile& file : files) node["files"].push_back(FileNode(file));
  return node;
}

std::string PartLine(const ordered_json& node) {
  return fmt::format("{}  {}, {}", NameOf(node["name"].get<std::string>()),
                     Counted(node["files_count"].get<int64_t>(), "file", "files"),
                     SizeText(node["size"].get<int64_t>()));
}

std::string FileLine(const ordered_json& node) {
  const ordered_json& records = node["record_count"];
  return fmt::format("{}  {}, {}", NameOf(node["file_path"].get<std::string>()),
                     records.is_null() ? "? rows" : Counted(records.get<int64_t>(), "row", "rows"),
                     SizeText(node["file_size_in_bytes"].get<int64_t>()));
}

void DrawFiles(const ordered_json& part, const std::string& prefix, std::string* text) {
  if (part.contains("files")) DrawNodes(part["files"], prefix, FileLine, nullptr, text);
}

}  // namespace

ordered_json DeltaTree(const delta::Table& table, const delta::Snapshot& snapshot,
                       const Context& context, int depth) {
  const std::vector<std::string> names = PartNames(snapshot);
  ordered_json tree = {
      {"location", table.location},
      {"snapshot_id", snapshot.version},
      {"checkpoint_version", snapshot.segment.checkpoint
                                 ? ordered_json(snapshot.segment.checkpoint->version)
                                 : ordered_json()},
      {"commits", CommitsText(snapshot.segment)}};
  if (depth < kPartDepth) return tree;
  tree["parts"] = ordered_json::array();
  ForEachPart(SourceFiles(delta::MakeSnapshotSource(table, snapshot)), context,
              /*column_metrics=*/false, [&](size_t part, const std::vector<DataFile>& files) {
                tree["parts"].push_back(PartNode(names[part], files, depth));
              });
  return tree;
}

std::string DeltaTreeText(const ordered_json& tree) {
  const ordered_json& checkpoint = tree["checkpoint_version"];
  std::string text = fmt::format(
      "{}/  (delta, version {}: {}{})\n", NameOf(tree["location"].get<std::string>()),
      tree["snapshot_id"].get<int64_t>(),
      checkpoint.is_null() ? "" : fmt::format("checkpoint {}, ", checkpoint.get<int64_t>()),
      tree["commits"].get<std::string>());
  if (tree.contains("parts")) DrawNodes(tree["parts"], "", PartLine, DrawFiles, &text);
  return text;
}

}  // namespace nunatak
