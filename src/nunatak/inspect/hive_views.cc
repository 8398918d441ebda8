#include "nunatak/inspect/hive_views.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "nunatak/base/display_width.h"
#include "nunatak/inspect/json_values.h"
#include "nunatak/inspect/partition_text.h"
#include "nunatak/inspect/size_text.h"
#include "nunatak/inspect/table_summary.h"
#include "nunatak/inspect/tree_lines.h"
#include "nunatak/table/schema_json.h"

namespace nunatak {

using hive::Directory;
using nlohmann::ordered_json;

namespace {

constexpr int kDirectoryDepth = 2;
constexpr int kFileDepth = 3;

struct Totals {
  int64_t files = 0;
  int64_t bytes = 0;
  /// Null when any file does not tell.
  std::optional<int64_t> records = 0;

  void Add(const Directory& directory) {
    for (size_t i = 0; i < directory.files.size(); ++i) {
      ++files;
      bytes += directory.files[i].size;
      const int64_t rows = directory.data_files ? (*directory.data_files)[i].record_count : -1;
      // What files claim may be more than there is.
      if (rows < 0 || (records && __builtin_add_overflow(*records, rows, &*records))) {
        records.reset();
      }
    }
  }
};

Totals TotalsOf(const hive::Table& table) {
  Totals totals;
  for (const Directory& directory : *table.directories) totals.Add(directory);
  return totals;
}

std::string RowsText(const std::optional<int64_t>& records) {
  return records ? fmt::format("{} row{}", *records, *records == 1 ? "" : "s") : "? rows";
}

std::string Line(std::string_view name, const std::string& value) {
  return fmt::format("{:<15}{}\n", name, OneLine(value));
}

std::string Counted(int64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string NameOf(std::string_view location) {
  return OneLine(location.substr(location.rfind('/') + 1));
}

ordered_json FileNode(const Directory& directory, size_t i) {
  const FileInfo& file = directory.files[i];
  const DataFile* data = directory.data_files ? &(*directory.data_files)[i] : nullptr;
  const bool counted = data != nullptr && data->record_count >= 0;
  return {{"file_path", file.location},
          {"file_format", data ? ordered_json(ToString(data->file_format)) : ordered_json()},
          {"record_count", counted ? ordered_json(data->record_count) : ordered_json()},
          {"file_size_in_bytes", file.size}};
}

ordered_json DirectoryNode(const hive::Table& table, const Directory& directory, int depth) {
  Totals totals;
  totals.Add(directory);
  const std::string& first = directory.files.front().location;
  ordered_json node = {
      {"location", first.substr(0, first.rfind('/'))},
      {"partition", PartitionPath(table.spec, table.partition_type, directory.partition)},
      {"files_count", totals.files},
      {"record_count", OrNull(totals.records)},
      {"size", totals.bytes}};
  if (depth < kFileDepth) return node;
  node["files"] = ordered_json::array();
  for (size_t i = 0; i < directory.files.size(); ++i) {
    node["files"].push_back(FileNode(directory, i));
  }
  return node;
}

std::optional<int64_t> RecordsOf(const ordered_json& node) {
  const ordered_json& records = node["record_count"];
  return records.is_null() ? std::nullopt : std::optional(records.get<int64_t>());
}

std::string DirectoryLine(const ordered_json& node) {
  const auto partition = node["partition"].get<std::string>();
  return fmt::format(
      "{}  {}, {}, {}",
      partition.empty() ? NameOf(node["location"].get<std::string>()) + "/" : OneLine(partition),
      Counted(node["files_count"].get<int64_t>(), "file", "files"), RowsText(RecordsOf(node)),
      SizeText(node["size"].get<int64_t>()));
}

std::string FileLine(const ordered_json& node) {
  return fmt::format("{}  {}, {}", NameOf(node["file_path"].get<std::string>()),
                     RowsText(RecordsOf(node)),
                     SizeText(node["file_size_in_bytes"].get<int64_t>()));
}

void DrawFiles(const ordered_json& directory, const std::string& prefix, std::string* text) {
  if (directory.contains("files")) {
    DrawNodes(directory["files"], prefix, FileLine, nullptr, text);
  }
}

}  // namespace

ordered_json HiveSummary(const hive::Table& table) {
  const Totals totals = TotalsOf(table);
  return {
      {"format", "hive"},
      {"location", table.location},
      {"schema", SchemaToJson(table.schema)},
      {"partition_spec", PartitionSpecToJson(table.spec)},
      {"totals",
       {{"data_files", totals.files},
        {"records", OrNull(totals.records)},
        {"files_size", totals.bytes},
        {"directories", table.directories->size()}}},
      {"reads", {{"list calls", table.list_calls}, {"footer reads", table.footer_reads->load()}}}};
}

std::string HiveSummaryText(const hive::Table& table) {
  const Totals totals = TotalsOf(table);
  const auto directories = static_cast<int64_t>(table.directories->size());
  std::string text = Line("format", "hive: a directory of data files");
  text += Line("location", table.location);
  text += Line("contents",
               fmt::format("{} in {} ({}), {}", RowsText(totals.records),
                           Counted(totals.files, "data file", "data files"), SizeText(totals.bytes),
                           Counted(directories, "directory", "directories")));
  text += Line("partitioning", PartitionSpecText(table.spec, table.schema));
  text +=
      Line("found by", fmt::format("{}, {}", Counted(table.list_calls, "list call", "list calls"),
                                   Counted(*table.footer_reads, "footer read", "footer reads")));
  return text + "schema\n" + SchemaText(table.schema);
}

ordered_json HiveTree(const hive::Table& table, int depth) {
  const Totals totals = TotalsOf(table);
  ordered_json tree = {{"location", table.location},
                       {"directory_count", table.directories->size()},
                       {"record_count", OrNull(totals.records)},
                       {"files_count", totals.files}};
  if (depth < kDirectoryDepth) return tree;
  tree["directories"] = ordered_json::array();
  for (const Directory& directory : *table.directories) {
    tree["directories"].push_back(DirectoryNode(table, directory, depth));
  }
  return tree;
}

std::string HiveTreeText(const ordered_json& tree) {
  std::string text = fmt::format(
      "{}/  (hive, {}, {}, {})\n", NameOf(tree["location"].get<std::string>()),
      Counted(tree["directory_count"].get<int64_t>(), "directory", "directories"),
      Counted(tree["files_count"].get<int64_t>(), "file", "files"), RowsText(RecordsOf(tree)));
  if (tree.contains("directories")) {
    DrawNodes(tree["directories"], "", DirectoryLine, DrawFiles, &text);
  }
  return text;
}

}  // namespace nunatak
