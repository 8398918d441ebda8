#include <fmt/format.h>

#include <string>
#include <string_view>

#include "nunatak/base/display_width.h"
#include "nunatak/inspect/size_text.h"
#include "nunatak/inspect/table_diff.h"

namespace nunatak {

using nlohmann::ordered_json;

namespace {

std::string Plain(const ordered_json& value) {
  if (value.is_string()) return OneLine(value.get_ref<const std::string&>());
  return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

char SignOf(const ordered_json& change) {
  const auto& name = change.at("change").get_ref<const std::string&>();
  return name == "add" ? '+' : name == "drop" || name == "remove" ? '-' : '~';
}

std::string SideText(std::string_view name, const ordered_json& side) {
  if (side.at("snapshot_id").is_null()) return fmt::format("{:<6}no snapshot\n", name);
  return fmt::format("{:<6}snapshot {}, {}, {}\n", name, Plain(side.at("snapshot_id")),
                     Plain(side.at("timestamp")),
                     side.at("operation").is_null() ? "?" : Plain(side.at("operation")));
}

std::string Section(std::string_view title, const std::string& lines) {
  return lines.empty() ? "" : fmt::format("{}\n{}", title, lines);
}

std::string SchemaLine(const ordered_json& change) {
  const std::string name = change.at("change");
  const std::string from = Plain(change.at("from")), to = Plain(change.at("to"));
  const std::string head = fmt::format("  {} {}: {}", SignOf(change), Plain(change.at("field_id")),
                                       Plain(change.at("path")));
  if (name == "add") return fmt::format("{}  {}\n", head, to);
  if (name == "drop") return fmt::format("{}  {}\n", head, from);
  if (name == "rename") return fmt::format("{}  was {}\n", head, from);
  if (name == "type") return fmt::format("{}  {} -> {}\n", head, from, to);
  if (name == "required") {
    return fmt::format("{}  {}\n", head, change.at("to") == true ? "now required" : "now optional");
  }
  if (name == "move") {
    return fmt::format("{}  moved {}\n", head,
                       change.at("to").is_null() ? "to the front" : "after " + to);
  }
  return fmt::format("{}  {}: {} -> {}\n", head, name, from, to);
}

std::string SchemaLines(const ordered_json& diff) {
  std::string lines;
  for (const ordered_json& change : diff.at("schema")) lines += SchemaLine(change);
  const ordered_json& identifier = diff.at("identifier_fields");
  if (!identifier.is_null()) {
    lines += fmt::format("  ~ identifier fields: {} -> {}\n", Plain(identifier.at("from")),
                         Plain(identifier.at("to")));
  }
  return lines;
}

/// Lines of changes of named things.
std::string ChangeLines(const ordered_json& changes, const char* key) {
  std::string lines;
  for (const ordered_json& change : changes) {
    const std::string name = key ? Plain(change.at(key)) + ": " : "";
    const char sign = SignOf(change);
    lines += sign == '~' ? fmt::format("  ~ {}{} -> {}\n", name, Plain(change.at("from")),
                                       Plain(change.at("to")))
                         : fmt::format("  {} {}{}\n", sign, name,
                                       Plain(change.at(sign == '+' ? "to" : "from")));
  }
  return lines;
}

std::string RefLines(const ordered_json& refs) {
  const auto text = [](const ordered_json& ref) {
    return fmt::format("{} at {}", Plain(ref.at("type")), Plain(ref.at("snapshot_id")));
  };
  ordered_json shown = refs;
  for (ordered_json& change : shown) {
    for (const char* side : {"from", "to"}) {
      if (!change.at(side).is_null()) change[side] = text(change.at(side));
    }
    if (change.at("from") == change.at("to")) change["to"] = "the same, kept otherwise";
  }
  return ChangeLines(shown, "name");
}

std::string FromToLine(std::string_view name, const ordered_json& change) {
  if (change.is_null()) return "";
  return fmt::format("{}  {} -> {}\n", name, Plain(change.at("from")), Plain(change.at("to")));
}

std::string RowsText(const ordered_json& count) {
  return fmt::format("{} row{}", Plain(count), count == 1 ? "" : "s");
}

/// "+3 (250 rows, 12.3 KiB)"; blank for none.
std::string SumsText(char sign, const ordered_json& sums) {
  if (sums.at("files") == 0) return "";
  return fmt::format("{}{} ({}, {})", sign, Plain(sums.at("files")), RowsText(sums.at("records")),
                     SizeText(sums.at("bytes").get<int64_t>()));
}

std::string FileSums(const ordered_json& files) {
  constexpr std::pair<const char*, const char*> kNames[] = {
      {"data", "data files"},
      {"position_deletes", "position delete files"},
      {"deletion_vectors", "deletion vectors"},
      {"equality_deletes", "equality delete files"}};
  std::string lines;
  for (const auto& [key, name] : kNames) {
    const std::string added = SumsText('+', files.at(key).at("added"));
    const std::string removed = SumsText('-', files.at(key).at("removed"));
    if (added.empty() && removed.empty()) continue;
    lines += fmt::format("  {:<22}{}{}{}\n", name, added,
                         added.empty() || removed.empty() ? "" : "  ", removed);
  }
  return lines;
}

std::string FileName(const ordered_json& path) {
  const std::string text = Plain(path);
  return text.substr(text.rfind('/') + 1);
}

std::string FileLine(const ordered_json& file) {
  std::string partition;
  if (file.at("partition").is_object()) {
    for (const auto& [name, value] : file.at("partition").items()) {
      partition += fmt::format("{}={}/", OneLine(name), Plain(value));
    }
  }
  return fmt::format("  {} {}{}  {}, {}{}\n", SignOf(file), partition, FileName(file.at("path")),
                     RowsText(file.at("records")), SizeText(file.at("bytes").get<int64_t>()),
                     file.at("kind") == "data" ? "" : ", " + Plain(file.at("kind")));
}

std::string ManifestsText(const ordered_json& manifests) {
  const ordered_json& added = manifests.at("added");
  const ordered_json& removed = manifests.at("removed");
  if (added.at("files") == 0 && removed.at("files") == 0) return "";
  std::string text =
      fmt::format("manifests  +{} ({})  -{} ({}), {} kept\n", Plain(added.at("files")),
                  SizeText(added.at("bytes").get<int64_t>()), Plain(removed.at("files")),
                  SizeText(removed.at("bytes").get<int64_t>()), Plain(manifests.at("kept")));
  if (!manifests.contains("list")) return text;
  for (const ordered_json& file : manifests.at("list")) {
    text += fmt::format("  {} {}  {}, {}\n", SignOf(file), FileName(file.at("path")),
                        Plain(file.at("content")), SizeText(file.at("length").get<int64_t>()));
  }
  return text;
}

std::string FilesText(const ordered_json& files) {
  std::string text = Section("files", FileSums(files));
  if (!files.contains("list")) return text;
  for (const ordered_json& file : files.at("list")) text += FileLine(file);
  return text;
}

std::string SnapshotsText(const ordered_json& snapshots) {
  std::string lines;
  for (const ordered_json& id : snapshots.at("added")) lines += fmt::format("  + {}\n", Plain(id));
  for (const ordered_json& id : snapshots.at("removed"))
    lines += fmt::format("  - {}\n", Plain(id));
  return Section("snapshots", lines);
}

}  // namespace

std::string DiffText(const ordered_json& diff) {
  std::string text = SideText("from", diff.at("from")) + SideText("to", diff.at("to"));
  std::string changes = FromToLine("format version", diff.at("format_version"));
  changes += FromToLine("location", diff.at("location"));
  changes += Section("schema", SchemaLines(diff));
  changes += Section("partition spec", ChangeLines(diff.at("partition_spec"), nullptr));
  changes += FromToLine("sort order", diff.at("sort_order"));
  changes += Section("properties", ChangeLines(diff.at("properties"), "key"));
  changes += Section("refs", RefLines(diff.at("refs")));
  changes += SnapshotsText(diff.at("snapshots"));
  if (!diff.at("definitions_unknown").is_null()) {
    changes += fmt::format("partition spec, sort order, properties, refs  not known: {}\n",
                           Plain(diff.at("definitions_unknown")));
  }
  if (diff.at("unknown").is_null()) {
    changes += ManifestsText(diff.at("manifests")) + FilesText(diff.at("files"));
  } else {
    changes += fmt::format("files  not known: {}\n", Plain(diff.at("unknown")));
  }
  return text + (changes.empty() ? "no difference\n" : changes);
}

}  // namespace nunatak
