#include <fmt/format.h>

#include <memory>
#include <string>

#include "nunatak/base/display_width.h"
#include "nunatak/cli/commands.h"
#include "nunatak/cli/scan_options.h"
#include "nunatak/cli/table_options.h"
#include "nunatak/iceberg/metadata_json.h"
#include "nunatak/inspect/delta_tree.h"
#include "nunatak/inspect/delta_views.h"
#include "nunatak/inspect/hive_views.h"
#include "nunatak/inspect/size_text.h"
#include "nunatak/inspect/table_summary.h"
#include "nunatak/inspect/table_tree.h"
#include "nunatak/open/no_meaning.h"
#include "nunatak/table/schema_json.h"

namespace nunatak::cli {

using nlohmann::ordered_json;

namespace {

std::string Line(std::string_view name, const std::string& value) {
  return fmt::format("{:<15}{}\n", name, OneLine(value));
}

/// A total that the snapshot's summary may not have.
std::string Amount(const ordered_json& totals, const char* key, std::string_view noun) {
  const ordered_json& value = totals.at(key);
  return fmt::format("{} {}", value.is_null() ? "?" : ToText(value), noun);
}

std::string SnapshotText(const iceberg::Snapshot* snapshot) {
  if (!snapshot) return "none: the table has no rows";
  return fmt::format("{} ({}), sequence number {}", snapshot->snapshot_id,
                     snapshot->operation.value_or("unknown operation"), snapshot->sequence_number);
}

std::string RowsText(const ordered_json& totals) {
  const ordered_json& size = totals.at("files_size");
  return fmt::format("{} in {}{}, {}, {}", Amount(totals, "records", "rows"),
                     Amount(totals, "data_files", "data files"),
                     size.is_null() ? "" : " (" + SizeText(size.get<int64_t>()) + ")",
                     Amount(totals, "delete_files", "delete files"),
                     Amount(totals, "manifests", "manifests"));
}

std::string ShowText(const IcebergTable& opened, const ordered_json& summary) {
  const iceberg::TableMetadata& metadata = *opened.table.metadata;
  const Schema& schema = opened.snapshot.schema;
  std::string text = Line("format", fmt::format("iceberg, version {}", metadata.format_version));
  text += Line("uuid", metadata.table_uuid.value_or("none"));
  text += Line("location", metadata.location);
  text += Line("metadata", opened.table.metadata_location);
  text += Line("updated", summary.at("last_updated_at").is_string()
                              ? summary.at("last_updated_at").get<std::string>()
                              : "?");
  text += Line("snapshot", SnapshotText(opened.snapshot.snapshot));
  text += Line("contents", RowsText(summary.at("totals")));
  std::string refs;
  for (const auto& [name, ref] : metadata.refs) refs += (refs.empty() ? "" : ", ") + name;
  text += Line("history", fmt::format("{} snapshots, {} earlier metadata files, refs: {}",
                                      metadata.snapshots.size(), metadata.metadata_log.size(),
                                      refs.empty() ? "none" : refs));
  text += Line("partitioning", PartitionSpecText(metadata.default_spec(), schema));
  text += Line("sort order", SortOrderText(metadata.default_sort_order(), schema));
  for (const auto& [key, value] : metadata.properties) {
    text += Line("property", key + " = " + value);
  }
  return text + "schema\n" + SchemaText(schema);
}

struct ShowOptions : TableOptions {
  bool metadata = false;
};

void ShowIceberg(const ShowOptions& options, const IcebergTable& opened) {
  if (options.metadata) {
    const Buffer file = opened.table.io->ReadAll(opened.table.metadata_location);
    const ordered_json json = ordered_json::parse(iceberg::MetadataText(file.bytes));
    return PrintObject(options.format, json, ToText(json, 2) + "\n");
  }
  const ordered_json summary = TableSummary(opened.table, opened.snapshot);
  PrintObject(options.format, summary, ShowText(opened, summary));
}

void ShowHive(const ShowOptions& options, const hive::Table& table) {
  if (options.metadata) ThrowNoMeaning(TableFormat::kHive, "show --metadata");
  PrintObject(options.format, HiveSummary(table), HiveSummaryText(table));
}

void ShowDelta(const ShowOptions& options, const DeltaTable& opened, const Context& context) {
  if (options.metadata) ThrowNoMeaning(TableFormat::kDelta, "show --metadata");
  const ordered_json summary = DeltaSummary(opened.table, *opened.snapshot, context);
  PrintObject(options.format, summary, DeltaSummaryText(*opened.snapshot, summary));
}

void Show(const ShowOptions& options) {
  const Context context = MakeContext({});
  const OpenedTable opened = Open(options, context);
  if (const auto* table = std::get_if<hive::Table>(&opened.table)) return ShowHive(options, *table);
  if (const auto* table = std::get_if<DeltaTable>(&opened.table)) {
    return ShowDelta(options, *table, context);
  }
  ShowIceberg(options, std::get<IcebergTable>(opened.table));
}

struct TreeCommandOptions : TableOptions {
  bool all = false;
  int64_t depth = TreeOptions().depth;
};

void Tree(const TreeCommandOptions& options) {
  const Context context = MakeContext({});
  const OpenedTable any = Open(options, context);
  if (const auto* hive = std::get_if<hive::Table>(&any.table)) {
    if (options.all) ThrowNoMeaning(any.format(), "tree --all");
    const ordered_json tree = HiveTree(*hive, static_cast<int>(options.depth));
    return PrintObject(options.format, tree, HiveTreeText(tree));
  }
  if (const auto* delta = std::get_if<DeltaTable>(&any.table)) {
    if (options.all) ThrowNoMeaning(any.format(), "tree --all");
    const ordered_json tree =
        DeltaTree(delta->table, *delta->snapshot, context, static_cast<int>(options.depth));
    return PrintObject(options.format, tree, DeltaTreeText(tree));
  }
  const auto& opened = std::get<IcebergTable>(any.table);
  const ordered_json tree = TableTree(opened.table, {.snapshot = opened.snapshot.snapshot,
                                                     .all_snapshots = options.all,
                                                     .depth = static_cast<int>(options.depth)});
  PrintObject(options.format, tree, TreeText(tree));
}

void PrintSchema(const TableOptions& options) {
  const OpenedTable opened = Open(options);
  const Schema& table_schema = opened.schema();
  const ordered_json json = SchemaToJson(table_schema);
  if (options.format != OutputFormat::kCsv) {
    return PrintObject(options.format, json, SchemaText(table_schema));
  }
  RowPrinter printer(options.format, {"id", "name", "type", "required", "doc"},
                     Terminal::Of(stdout));
  for (const Field& field : table_schema.fields()) {
    printer.Add({{"id", field.id},
                 {"name", field.name},
                 {"type", field.type.ToString()},
                 {"required", field.required},
                 {"doc", field.doc}});
  }
  printer.Finish();
}

}  // namespace

void AddTableCommands(CLI::App* app, const AddCommand& add) {
  auto show_options = std::make_shared<ShowOptions>();
  CLI::App* show = app->add_subcommand("show", "What is this table?");
  show_options->AddTo(show);
  show->add_flag("--metadata", show_options->metadata,
                 "Print the metadata file itself, decompressed");
  show->footer(
      "Examples:\n  nunatak show warehouse/orders\n"
      "  nunatak show warehouse/orders --format json\n"
      "  nunatak show warehouse/orders --metadata");
  add(show, [show_options] { Show(*show_options); });

  auto tree_options = std::make_shared<TreeCommandOptions>();
  CLI::App* tree = app->add_subcommand("tree", "The pointer and the four layers below it");
  tree_options->AddTo(tree);
  tree->add_flag("--all", tree_options->all,
                 "Every snapshot, and which manifests they share with earlier ones")
      ->excludes("--snapshot", "--ref", "--as-of");
  tree->add_option_function<std::string>(
          "--depth",
          [tree_options](const std::string& text) {
            if (text.size() != 1 || text[0] < '1' || text[0] > '4') {
              throw CLI::ValidationError("--depth",
                                         fmt::format("'{}' is none of 1, 2, 3, 4", text));
            }
            tree_options->depth = text[0] - '0';
          },
          "How many layers: 1 the metadata file, 2 snapshots, 3 manifests, 4 files")
      ->type_name("N");
  tree->footer(
      "Examples:\n  nunatak tree warehouse/orders\n"
      "  nunatak tree warehouse/orders --as-of 2026-06-01\n"
      "  nunatak tree warehouse/orders --all --depth 3");
  add(tree, [tree_options] { Tree(*tree_options); });

  auto schema_options = std::make_shared<TableOptions>();
  CLI::App* schema = app->add_subcommand("schema", "The columns, with their ids");
  schema_options->AddTo(schema);
  schema->footer(
      "Examples:\n  nunatak schema warehouse/orders\n"
      "  nunatak schema warehouse/orders --snapshot 6488880964964305976");
  add(schema, [schema_options] { PrintSchema(*schema_options); });
}

}  // namespace nunatak::cli
