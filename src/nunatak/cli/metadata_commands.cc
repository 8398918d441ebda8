#include <memory>
#include <set>
#include <string>

#include "nunatak/cli/commands.h"
#include "nunatak/cli/table_options.h"
#include "nunatak/inspect/metadata_rows.h"

namespace nunatak::cli {

using nlohmann::ordered_json;

namespace {

using RowFilter = std::function<bool(const ordered_json& row)>;

void PrintRows(const TableOptions& options, const MetadataRows& rows,
               const RowFilter& keep = nullptr) {
  RowPrinter printer(options.format, rows.columns, Terminal::Of(stdout));
  rows.produce([&](const ordered_json& row) {
    if (!keep || keep(row)) printer.Add(row);
  });
  printer.Finish();
}

/// With a snapshot chosen, rows about snapshots are limited to it and its ancestors.
RowFilter InHistoryOf(const TableOptions& options, const OpenedTable& opened) {
  if (!options.chooses_snapshot()) return nullptr;
  const std::set<int64_t> ids = opened.table.metadata->AncestorIds(opened.snapshot.snapshot);
  return [ids](const ordered_json& row) {
    return row.at("snapshot_id").is_number() && ids.contains(row.at("snapshot_id").get<int64_t>());
  };
}

struct HistoryOptions : TableOptions {
  bool files = false;
};

struct VerbText {
  const char* name;
  const char* description;
  const char* examples;
};

/// A verb that prints the rows that `print` makes of an opened table.
void AddRowsVerb(CLI::App* app, const AddCommand& add, const VerbText& text,
                 std::function<void(const TableOptions&, const OpenedTable&)> print) {
  auto options = std::make_shared<TableOptions>();
  CLI::App* verb = app->add_subcommand(text.name, text.description);
  options->AddTo(verb);
  verb->footer(text.examples);
  add(verb, [options, print = std::move(print)] { print(*options, Open(*options)); });
}

/// A verb for one of the metadata tables of the chosen snapshot.
void AddSnapshotTable(CLI::App* app, const AddCommand& add, const VerbText& text,
                      MetadataRows (*rows)(const iceberg::Table&, const iceberg::Snapshot*)) {
  AddRowsVerb(app, add, text, [rows](const TableOptions& options, const OpenedTable& opened) {
    PrintRows(options, rows(opened.table, opened.snapshot.snapshot));
  });
}

/// A verb for one of the metadata tables of the whole table.
void AddWholeTable(CLI::App* app, const AddCommand& add, const VerbText& text,
                   MetadataRows (*rows)(const iceberg::Table&)) {
  AddRowsVerb(app, add, text, [rows](const TableOptions& options, const OpenedTable& opened) {
    PrintRows(options, rows(opened.table), InHistoryOf(options, opened));
  });
}

void AddHistory(CLI::App* app, const AddCommand& add) {
  auto options = std::make_shared<HistoryOptions>();
  CLI::App* verb = app->add_subcommand("history", "Which snapshot was current when");
  options->AddTo(verb);
  verb->add_flag("--files", options->files,
                 "Instead, how many files of each kind each commit added");
  verb->footer(
      "Examples:\n  nunatak history warehouse/orders\n"
      "  nunatak history warehouse/orders --files");
  add(verb, [options] {
    const OpenedTable opened = Open(*options);
    PrintRows(*options, options->files ? CommitFileRows(opened.table) : HistoryRows(opened.table),
              InHistoryOf(*options, opened));
  });
}

}  // namespace

void AddMetadataCommands(CLI::App* app, const AddCommand& add) {
  AddWholeTable(app, add,
                {"snapshots", "The versions of the table",
                 "Examples:\n  nunatak snapshots warehouse/orders\n"
                 "  nunatak snapshots warehouse/orders --ref audit --format ndjson"},
                SnapshotRows);
  AddHistory(app, add);
  AddWholeTable(app, add,
                {"refs", "The branches and tags", "Example:\n  nunatak refs warehouse/orders"},
                RefRows);
  AddSnapshotTable(app, add,
                   {"manifests", "The manifests of a snapshot",
                    "Examples:\n  nunatak manifests warehouse/orders\n"
                    "  nunatak manifests warehouse/orders --as-of 2026-06-01T12:00:00"},
                   ManifestRows);
  AddSnapshotTable(app, add,
                   {"files", "The live data and delete files, with their metrics",
                    "Examples:\n  nunatak files warehouse/orders\n"
                    "  nunatak files warehouse/orders --format ndjson | jq .readable_metrics"},
                   FileRows);
  AddSnapshotTable(app, add,
                   {"entries", "The manifest entries, deleted ones included",
                    "Example:\n  nunatak entries warehouse/orders --format ndjson"},
                   EntryRows);
}

}  // namespace nunatak::cli
