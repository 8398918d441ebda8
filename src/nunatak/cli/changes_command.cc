#include <arrow/api.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/cli/column_names.h"
#include "nunatak/cli/commands.h"
#include "nunatak/cli/delta_changes.h"
#include "nunatak/cli/scan_options.h"
#include "nunatak/read/arrow_schema.h"
#include "nunatak/read/change_reader.h"
#include "nunatak/read/select_fields.h"
#include "nunatak/table/metadata_columns.h"

namespace nunatak::cli {

namespace {

struct ChangesOptions : TableOptions {
  std::string from;
  std::string to;
  std::string where;
  std::optional<std::string> select;
  std::optional<int64_t> limit;
  bool net = false;
  bool updates = false;
  std::optional<std::string> identifier;
  CacheOptions cache;
  MemoryOption memory;
  ScanOutputOptions output;
};

iceberg::ChosenSnapshot LastSnapshot(const ChangesOptions& options, const IcebergTable& opened) {
  if (!options.to.empty()) return iceberg::ChooseNamed(*opened.table.metadata, options.to);
  return opened.snapshot;
}

std::vector<int32_t> IdentifierIds(const ChangesOptions& options, const Schema& schema) {
  std::vector<int32_t> ids;
  for (const std::string& name : SplitColumnNames(*options.identifier, "--identifier")) {
    const Field* field = schema.FindField(name, !options.ignore_case);
    if (field == nullptr) ThrowUsage("--identifier: the table has no column " + name);
    ids.push_back(field->id);
  }
  return ids;
}

void SetPairing(const ChangesOptions& options, const iceberg::TableMetadata& metadata,
                ChangeRequest* request) {
  if (!options.updates && !options.identifier) return;
  const Schema& schema = request->read.schema;
  request->pairing = UpdatePairing::kIdentifier;
  request->identifier_ids =
      options.identifier ? IdentifierIds(options, schema) : schema.identifier_field_ids();
  if (request->identifier_ids == std::vector<int32_t>{kRowIdColumnId} ||
      (request->identifier_ids.empty() && metadata.format_version >= 3)) {
    request->pairing = UpdatePairing::kRowId;
  } else if (request->identifier_ids.empty()) {
    ThrowUsage(
        "--updates: the table names no identifier columns, and before version 3 rows have "
        "no ids",
        "--identifier COLUMN,... says which columns identify a row");
  }
}

ChangeRequest RequestOf(const ChangesOptions& options, const iceberg::Table& table,
                        const iceberg::ChosenSnapshot& last) {
  const iceberg::TableMetadata& metadata = *table.metadata;
  const Schema schema = WithMetadataColumns(metadata, last.schema);
  const Schema changes = WithChangeColumns(schema);
  ChangeRequest request;
  if (last.snapshot) request.range.to_inclusive = last.snapshot->snapshot_id;
  if (options.from != "-") {
    request.range.from_exclusive = iceberg::NamedSnapshotId(metadata, options.from);
  }
  request.read = RequestFor(
      table.metadata, schema,
      SelectFields(changes, SplitColumnNames(options.select.value_or("*")), !options.ignore_case));
  request.read.options.limit = options.limit.value_or(-1);
  request.filter = ParseFilter(options.where);
  request.filter_text = options.where;
  request.case_sensitive = !options.ignore_case;
  request.net = options.net;
  request.cache = options.cache.Cache();
  SetPairing(options, metadata, &request);
  return request;
}

void PrintOfDelta(const ChangesOptions& options, const DeltaTable& table, ScanOutput* output) {
  if (options.net || options.updates || options.identifier) {
    ThrowUnsupported(
        "--net, --updates and --identifier have no meaning for a Delta table: its changes are "
        "those of "
        "each commit, and where the change data feed is enabled, its writers pair updates "
        "themselves",
        "leave them out; _change_type says which rows are the two sides of an update");
  }
  PrintDeltaChanges(table,
                    {.from = options.from,
                     .to = options.to,
                     .where = options.where,
                     .select = options.select,
                     .limit = options.limit,
                     .memory = options.memory},
                    output);
}

void Changes(const ChangesOptions& options) {
  ScanOutput output(options.output);
  const OpenedTable table = Open(options);
  if (const auto* delta = std::get_if<DeltaTable>(&table.table)) {
    return PrintOfDelta(options, *delta, &output);
  }
  const Context context = MakeContext(options.memory);
  const IcebergTable& opened = RequireIceberg(table, "changes");
  const iceberg::ChosenSnapshot last = LastSnapshot(options, opened);
  ChangeRequest request = RequestOf(options, opened.table, last);
  const Schema projection = request.read.projection;
  if (last.snapshot == nullptr) {
    // Nothing was ever written, and so nothing changed.
    BindFilter(options.where, WithChangeColumns(request.read.schema), !options.ignore_case);
    output.Begin(projection, ArrowSchemaOf(projection), context.memory_budget);
    return output.Finish();
  }
  Progress progress = ShowReads("changes", opened.table.io);
  ChangeReader reader(opened.table, context, std::move(request));
  output.Begin(projection, reader.schema(), context.memory_budget);
  while (const std::shared_ptr<arrow::RecordBatch> batch = reader.Next()) {
    if (output.on_screen()) progress.Stop();  // rows and progress would share the screen
    output.Write(*batch);
  }
  output.Finish();
}

}  // namespace

void AddChangesCommand(CLI::App* app, const AddCommand& add) {
  auto options = std::make_shared<ChangesOptions>();
  CLI::App* verb = app->add_subcommand("changes", "Which rows changed between two snapshots");
  options->AddLocationTo(verb, Serves::kVersioned);
  verb->add_option(
          "FROM", options->from,
          "Changes after this snapshot (Delta: version): id, branch, tag or time (2026-06-01, "
          "yesterday, '36h ago'); - for the beginning")
      ->required()
      ->type_name("");
  verb->add_option("TO", options->to, "Changes up to this snapshot (default: the current one)")
      ->type_name("");
  options->AddIgnoreCaseTo(verb);
  verb->add_option("--where", options->where,
                   "Filter, over the table's columns and those of the change")
      ->type_name("FILTER");
  verb->add_option("--select", options->select,
                   "Columns, those of the change and metadata columns such as _row_id too; * for "
                   "the table's and the change's")
      ->type_name("COLUMN,...");
  AddLimit(verb, &options->limit);
  verb->add_flag("--net", options->net, "Leave out what was undone between the two snapshots");
  verb->add_flag("--updates", options->updates,
                 "Pair deletions with insertions as updates, by the table's identifier columns or, "
                 "from version 3, by _row_id");
  verb->add_option("--identifier", options->identifier,
                   "Pair them by these columns; _row_id for the row id")
      ->type_name("COLUMN,...");
  options->cache.AddTo(verb);
  options->memory.AddTo(verb);
  options->output.AddTo(verb);
  verb->footer(
      "Each row comes with _change_type (insert, delete, update_before, update_after),\n"
      "_change_ordinal and _commit_snapshot_id.\n\n"
      "Examples:\n  nunatak changes warehouse/orders yesterday\n"
      "  nunatak changes warehouse/orders 2026-06-01 2026-07-01\n"
      "  nunatak changes warehouse/orders - main --net --format ndjson\n"
      "  nunatak changes warehouse/orders 4101282303255104100 audit --updates\n"
      "  nunatak changes warehouse/orders end-of-june --identifier order_id\n"
      "  nunatak changes warehouse/orders - --where \"_change_type = 'delete' and order_id = 17\"");
  add(verb, [options] { Changes(*options); });
}

}  // namespace nunatak::cli
