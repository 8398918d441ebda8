#include <arrow/record_batch.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "nunatak/cli/column_names.h"
#include "nunatak/cli/commands.h"
#include "nunatak/cli/memory_option.h"
#include "nunatak/cli/scan_options.h"
#include "nunatak/cli/scan_output.h"
#include "nunatak/cli/table_options.h"
#include "nunatak/inspect/metadata_table.h"
#include "nunatak/inspect/metadata_table_reader.h"
#include "nunatak/inspect/opened_metadata_table.h"
#include "nunatak/read/select_fields.h"

namespace nunatak::cli {

namespace {

/// A verb shows the metadata table of its name, or with a flag a fuller one.
struct Variant {
  std::string_view verb;
  const char* flag;
  const char* description;
  std::string_view table;
};

constexpr std::array<Variant, 2> kVariants = {{
    {"history", "--files", "Instead, how many files of each kind each commit added",
     "commit_files"},
    {"manifests", "--deep", "Open each manifest, and show the schema that it was written with",
     "manifest_schemas"},
}};

bool IsVariant(std::string_view table) {
  return std::any_of(kVariants.begin(), kVariants.end(),
                     [table](const Variant& variant) { return variant.table == table; });
}

struct MetadataOptions : TableOptions {
  std::string where;
  std::optional<std::string> select;
  std::optional<int64_t> limit;
  MemoryOption memory;
  ScanOutputOptions output;
  /// The variant that was asked for.
  const Variant* variant = nullptr;
};

void PrintMetadataTable(const MetadataOptions& options, std::string_view name) {
  ScanOutput output(options.output);
  const Context context = MakeContext(options.memory);
  const OpenedTable opened = Open(options, context);
  MetadataTable table = MakeMetadataTable(opened, options.variant ? options.variant->table : name,
                                          options.chooses_snapshot());
  const bool case_sensitive = !options.ignore_case;
  MetadataReadOptions read{.projection = table.schema,
                           .filter = BindFilter(options.where, table.schema, case_sensitive),
                           .limit = options.limit.value_or(-1)};
  if (options.select) {
    read.projection = SelectFields(table.schema, SplitColumnNames(*options.select), case_sensitive);
  }
  const Schema projection = *read.projection;
  MetadataTableReader reader(context, std::move(table), std::move(read));
  output.Begin(projection, reader.schema(), context.memory_budget, MapForm::kObject);
  while (const std::shared_ptr<arrow::RecordBatch> batch = reader.Next()) output.Write(*batch);
  output.Finish();
}

/// Which formats have such a table (`MakeMetadataTable`).
Serves ServesOf(std::string_view table) {
  if (table == "snapshots" || table == "history") return Serves::kVersioned;
  const bool listed = table == "files" || table == "data_files" || table == "partitions";
  return listed ? Serves::kEveryFormat : Serves::kIceberg;
}

/// Something to ask of the tables that are asked most; of the others, only their rows.
std::string Examples(std::string_view verb) {
  const std::string command = "  nunatak " + std::string(verb) + " warehouse/orders";
  std::string text = "Examples:\n" + command + "\n";
  if (verb == "snapshots") {
    text += command + " --ref audit --format ndjson\n";
    text += command + " --where \"operation = 'delete'\" --select committed_at,snapshot_id";
  } else if (verb == "history") {
    text += command + " --files";
  } else if (verb == "manifests") {
    text += command + " --as-of 2026-06-01T12:00:00\n";
    text += command + " --deep --select path,schema_id";
  } else if (verb == "files") {
    text += command + " --where 'file_size_in_bytes < 1000000' --select file_path,record_count\n";
    text += command + " --where \"partition.country = 'CH'\" --format ndjson\n";
    text += command + " --select file_path,readable_metrics.amount";
  } else if (verb == "partitions") {
    text += command + " --where 'file_count > 100'";
  } else if (verb == "entries") {
    text += command + " --where 'status = 2' --select data_file.file_path";
  } else {
    text += command + " --format ndjson";
  }
  return text;
}

void AddFlags(CLI::App* verb, const std::shared_ptr<MetadataOptions>& options) {
  options->AddIgnoreCaseTo(verb);
  verb->add_option("--where", options->where, "Only rows that pass this filter over the columns")
      ->type_name("FILTER");
  verb->add_option("--select", options->select, "Columns, nested ones as a.b")
      ->type_name("COLUMN,...");
  AddLimit(verb, &options->limit);
  options->memory.AddTo(verb);
  options->output.AddTo(verb);
  for (const Variant& variant : kVariants) {
    if (verb->get_name() != variant.verb) continue;
    verb->add_flag_callback(
        variant.flag, [options, &variant] { options->variant = &variant; }, variant.description);
  }
}

}  // namespace

void AddMetadataCommands(CLI::App* app, const AddCommand& add) {
  for (const MetadataTableKind& kind : MetadataTableKinds()) {
    if (IsVariant(kind.name)) continue;
    auto options = std::make_shared<MetadataOptions>();
    CLI::App* verb = app->add_subcommand(VerbOf(kind.name), std::string(kind.description));
    options->AddTableTo(verb, ServesOf(kind.name));
    AddFlags(verb, options);
    verb->footer(Examples(verb->get_name()));
    add(verb, [options, name = kind.name] { PrintMetadataTable(*options, name); });
  }
}

}  // namespace nunatak::cli
