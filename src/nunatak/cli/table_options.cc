#include "nunatak/cli/table_options.h"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/hive/partition_type.h"
#include "nunatak/open/no_meaning.h"

namespace nunatak::cli {

namespace {

LocationMap Relocations(const std::vector<std::string>& rules) {
  LocationMap map;
  for (const std::string& rule : rules) {
    const size_t equals = rule.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == rule.size()) {
      ThrowUsage(fmt::format("--relocate {}: expected FROM=TO", rule),
                 "for example --relocate s3://bucket/warehouse=/data/warehouse");
    }
    map.Add(rule.substr(0, equals), rule.substr(equals + 1));
  }
  return map;
}

/// Says which metadata file was taken for the current one, where a catalog may know better: tables
/// without one name their files by versions alone.
void NoteGuess(std::string_view metadata_location) {
  const std::string_view name = metadata_location.substr(metadata_location.rfind('/') + 1);
  if (name.find('-') == std::string_view::npos) return;
  fmt::print(stderr, "nunatak: note: no version hint; opened the highest version, {}\n", name);
}

VersionChoice ChoiceOf(const TableOptions& options) {
  VersionChoice choice{
      .snapshot_id = options.snapshot_id, .ref = options.ref, .version = options.version};
  if (options.as_of) choice.as_of_ms = iceberg::ParseAsOf(*options.as_of);
  return choice;
}

}  // namespace

CLI::Option* AddNumber(CLI::App* verb, const std::string& name, const std::string& description,
                       std::optional<int64_t>* value) {
  const auto parse = [name, value](const std::string& text) {
    int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) {
      throw CLI::ValidationError(name, fmt::format("'{}' is not a whole number of 64 bits", text));
    }
    *value = number;
  };
  return verb->add_option_function<std::string>(name, parse, description);
}

OutputFormat ParseFormat(const std::string& name, std::string_view names) {
  static const std::map<std::string, OutputFormat> kFormats = {{"table", OutputFormat::kTable},
                                                               {"json", OutputFormat::kJson},
                                                               {"ndjson", OutputFormat::kNdjson},
                                                               {"csv", OutputFormat::kCsv}};
  const auto at = kFormats.find(name);
  if (at != kFormats.end()) return at->second;
  throw CLI::ValidationError("--format", fmt::format("'{}' is none of {}", name, names));
}

void AddFormat(CLI::App* verb, OutputFormat* format) {
  verb->add_option_function<std::string>(
          "--format", [format](const std::string& name) { *format = ParseFormat(name); },
          "table, json, ndjson or csv (default: table)")
      ->type_name("FORMAT");
}

void TableOptions::AddTo(CLI::App* verb, Serves serves) {
  AddTableTo(verb, serves);
  AddFormat(verb, &format);
}

void TableOptions::AddLocationTo(CLI::App* verb, Serves serves) {
  AddNameTo(verb);
  AddOpeningTo(verb, serves);
}

void TableOptions::AddNameTo(CLI::App* verb) {
  verb->add_option("TABLE", location, "Table directory or metadata file")
      ->required()
      ->type_name("");
}

void TableOptions::AddTableTo(CLI::App* verb, Serves serves) {
  AddNameTo(verb);
  AddNumber(verb, "--snapshot", "Read this snapshot", &snapshot_id)->type_name("ID");
  verb->add_option("--ref", ref, "Read the head of this branch or tag")->type_name("NAME");
  verb->add_option("--as-of", as_of,
                   "Read what was current then: ISO date or time (UTC), yesterday, '36h ago', or "
                   "epoch milliseconds")
      ->type_name("TIME");
  if (serves != Serves::kIceberg) {
    AddNumber(verb, "--version", "Read this version (Delta)", &version)->type_name("N");
  }
  AddOpeningTo(verb, serves);
}

void TableOptions::AddOpeningTo(CLI::App* verb, Serves serves) {
  verb->add_flag("--moved", moved,
                 "The table was copied: its recorded location is where it is opened");
  verb->add_option("--relocate", relocate, "Locations under FROM are under TO (repeatable)")
      ->type_name("FROM=TO")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  verb->add_option_function<std::string>(
          "--table-format",
          [this](const std::string& name) { table_format = ParseTableFormat(name); },
          "iceberg, delta or hive (default: what lies there tells)")
      ->type_name("FORMAT");
  if (serves != Serves::kEveryFormat) return;
  verb->add_option("--partition-types", partition_types,
                   "Types of partition columns of a Hive-style directory (default: inferred)")
      ->type_name("COLUMN=TYPE,...");
  verb->add_flag("--one-schema", one_schema,
                 "Take the schema of a Hive-style directory's first file for that of all, and read "
                 "only the footers that a plan needs");
}

void TableOptions::AddIgnoreCaseTo(CLI::App* verb) {
  verb->add_flag("--ignore-case", ignore_case, "Resolve column names without case");
}

OpenedTable Open(const TableOptions& options, const Context& context) {
  OpenedTable opened =
      OpenTable(MakeLocalFileIO(Relocations(options.relocate)), context, options.location,
                {.format = options.table_format,
                 .version = ChoiceOf(options),
                 .moved = options.moved,
                 .hive = {.partition_types = hive::ParsePartitionTypes(options.partition_types),
                          .merge_schemas = !options.one_schema}});
  const auto* iceberg = std::get_if<IcebergTable>(&opened.table);
  if (iceberg && iceberg->table.pointer_guessed) NoteGuess(iceberg->table.metadata_location);
  return opened;
}

IcebergTable OpenIceberg(const TableOptions& options, std::string_view verb) {
  return RequireIceberg(Open(options), verb);
}

const IcebergTable& RequireIceberg(const OpenedTable& opened, std::string_view verb) {
  if (const auto* table = std::get_if<IcebergTable>(&opened.table)) return *table;
  ThrowNoMeaning(opened.format(), verb);
}

void PrintObject(OutputFormat format, const nlohmann::ordered_json& object, std::string_view text) {
  switch (format) {
    case OutputFormat::kTable:
      return WriteAll(stdout, Printable(text));
    case OutputFormat::kJson:
      return WriteAll(stdout, ToText(object, 2) + "\n");
    case OutputFormat::kNdjson:
      return WriteAll(stdout, ToText(object) + "\n");
    case OutputFormat::kCsv: {
      std::vector<std::string> columns;
      for (const auto& [key, value] : object.items()) columns.push_back(key);
      RowPrinter printer(format, std::move(columns), Terminal::Of(stdout));
      printer.Add(object);
      return printer.Finish();
    }
  }
}

}  // namespace nunatak::cli
