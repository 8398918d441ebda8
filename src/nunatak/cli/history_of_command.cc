#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/cli/commands.h"
#include "nunatak/cli/row_key_option.h"
#include "nunatak/cli/scan_options.h"
#include "nunatak/inspect/json_values.h"
#include "nunatak/inspect/row_history.h"
#include "nunatak/table/metadata_columns.h"

namespace nunatak::cli {

using nlohmann::ordered_json;

namespace {

struct HistoryOfOptions : TableOptions {
  std::optional<int64_t> row_id;
  std::optional<std::string> key;
  CacheOptions cache;
  MemoryOption memory;
};

/// The rows that were asked for.
Expr WhichRows(const HistoryOfOptions& options, const iceberg::TableMetadata& metadata) {
  if (options.row_id.has_value() == options.key.has_value()) {
    ThrowUsage("history-of: say which row by --key or by --row-id, one of the two",
               "for example --key order_id=17");
  }
  if (options.key) return ParseRowKey(*options.key);
  if (metadata.format_version < 3) {
    ThrowUsage(fmt::format("--row-id: the table is of version {}, whose rows have no ids",
                           metadata.format_version),
               "name the row by its key: --key COLUMN=VALUE");
  }
  Expr which{.op = Op::kEqual};
  which.column_id = kRowIdColumnId;
  which.literals.push_back(
      {.kind = Literal::Kind::kNumber, .text = std::to_string(*options.row_id)});
  return which;
}

void AddSnapshot(const iceberg::Snapshot* snapshot, const std::string& prefix, ordered_json* line) {
  (*line)[prefix + "_at"] = snapshot ? TimeJson(snapshot->timestamp_ms) : ordered_json();
  (*line)[prefix + "_by"] = snapshot ? ordered_json(snapshot->snapshot_id) : ordered_json();
  (*line)[prefix + "_operation"] = snapshot ? OrNull(snapshot->operation) : ordered_json();
}

/// Where and when come first: on a narrow terminal the last columns are not shown.
ordered_json LineOf(const RowVersion& version, bool with_row_id) {
  ordered_json line = ordered_json::object();
  AddSnapshot(version.written, "_written", &line);
  AddSnapshot(version.removed, "_removed", &line);
  if (with_row_id) line["_row_id"] = OrNull(version.row_id);
  line.update(version.row);
  return line;
}

/// In a table with such columns of its own, nobody could tell which is which.
void RefuseOwnColumns(const Schema& schema, bool with_row_id) {
  const ordered_json ours = LineOf(RowVersion(), with_row_id);
  for (const Field& field : schema.fields()) {
    if (!ours.contains(field.name)) continue;
    ThrowUnsupported(fmt::format("the table has a column {} of its own, so that its history cannot "
                                 "be shown with the column of that name",
                                 field.name),
                     "nunatak changes shows who wrote and removed rows, too");
  }
}

void Print(const std::vector<RowVersion>& versions, const HistoryOfOptions& options,
           const Schema& schema, bool with_row_id) {
  RowVersion none;
  for (const Field& field : schema.fields()) none.row[field.name] = nullptr;
  const ordered_json blank = LineOf(none, with_row_id);
  std::vector<std::string> columns;
  for (const auto& [name, value] : blank.items()) columns.push_back(name);
  RowPrinter printer(options.format, std::move(columns), Terminal::Of(stdout));
  for (const RowVersion& version : versions) printer.Add(LineOf(version, with_row_id));
  printer.Finish();
}

void HistoryOf(const HistoryOfOptions& options) {
  const IcebergTable opened = OpenIceberg(options, "history-of");
  const iceberg::TableMetadata& metadata = *opened.table.metadata;
  RowHistoryRequest request{.last = opened.snapshot,
                            .which = WhichRows(options, metadata),
                            .by_row_id = options.row_id.has_value(),
                            .case_sensitive = !options.ignore_case,
                            .cache = options.cache.Cache()};
  const Schema schema = WithMetadataColumns(metadata, request.last.schema);
  RefuseOwnColumns(request.last.schema, metadata.format_version >= 3);
  request.read = RequestFor(opened.table.metadata, schema, schema);
  // Names and values that do not fit are errors even where there is no row to look at.
  Bind(request.which, request.by_row_id ? schema : request.last.schema, !options.ignore_case);
  Progress progress = ShowReads("history", opened.table.io);
  const std::vector<RowVersion> versions =
      ReadRowHistory(opened.table, MakeContext(options.memory), request);
  progress.Stop();
  if (versions.empty()) {
    fmt::print(stderr, "nunatak: note: no snapshot that the table still has changed such a row\n");
  }
  Print(versions, options, request.last.schema, metadata.format_version >= 3);
}

}  // namespace

void AddHistoryOfCommand(CLI::App* app, const AddCommand& add) {
  auto options = std::make_shared<HistoryOfOptions>();
  CLI::App* verb = app->add_subcommand(
      "history-of",
      "All versions of a row: when and by which snapshot each was written and removed");
  options->AddTo(verb, Serves::kIceberg);
  AddNumber(verb, "--row-id", "The row of this _row_id (version 3)", &options->row_id)
      ->type_name("N");
  verb->add_option("--key", options->key, "The rows whose columns have these values")
      ->type_name("COLUMN=VALUE,...");
  options->AddIgnoreCaseTo(verb);
  options->cache.AddTo(verb);
  options->memory.AddTo(verb);
  verb->footer(
      "The last version's _removed_by is the snapshot that deleted the row, if it is gone.\n\n"
      "Examples:\n  nunatak history-of warehouse/orders --key order_id=17\n"
      "  nunatak history-of warehouse/orders --key \"country=DE,city='Frankfurt, Oder'\"\n"
      "  nunatak history-of warehouse/orders --row-id 1042 --format ndjson");
  add(verb, [options] { HistoryOf(*options); });
}

}  // namespace nunatak::cli
