#include <fmt/format.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/cli/commands.h"
#include "nunatak/cli/memory_option.h"
#include "nunatak/cli/scan_options.h"
#include "nunatak/cli/table_options.h"
#include "nunatak/cli/whole_table.h"
#include "nunatak/inspect/json_values.h"
#include "nunatak/inspect/opened_usage.h"
#include "nunatak/inspect/size_text.h"
#include "nunatak/table/value_json.h"

namespace nunatak::cli {

using nlohmann::ordered_json;

namespace {

/// Rows of one kind, printed in the format of the options. `sizes` are columns of sizes.
void PrintRows(OutputFormat format, const std::vector<ordered_json>& rows,
               std::vector<std::string> columns, const std::vector<std::string>& sizes = {}) {
  RowPrinter printer(format, std::move(columns), Terminal::Of(stdout), sizes);
  for (const ordered_json& row : rows) printer.Add(row);
  printer.Finish();
}

/// What the bytes of a table are told apart by.
enum class UsageBy { kKind, kSnapshot, kPartition, kColumn };

struct ReadingOptions : TableOptions {
  MemoryOption memory;

  void AddTo(CLI::App* verb) {
    TableOptions::AddTo(verb);
    memory.AddTo(verb);
  }
};

struct UsageOptions : ReadingOptions {
  UsageBy by = UsageBy::kKind;

  /// People read sizes, machines numbers.
  ordered_json Size(int64_t bytes) const {
    return format == OutputFormat::kTable ? ordered_json(SizeText(bytes)) : ordered_json(bytes);
  }
};

void PrintKinds(const UsageOptions& options, const OpenedTable& opened) {
  std::vector<ordered_json> rows;
  for (const UsageOfKind& usage : UsageByKind(opened, MakeContext(options.memory))) {
    rows.push_back(
        {{"kind", usage.kind}, {"files", usage.files}, {"bytes", options.Size(usage.bytes)}});
  }
  PrintRows(options.format, rows, {"kind", "files", "bytes"}, {"bytes"});
}

void PrintSnapshots(const UsageOptions& options, const OpenedTable& opened) {
  std::vector<ordered_json> rows;
  for (const UsageOfSnapshot& usage : UsageBySnapshot(opened, MakeContext(options.memory))) {
    rows.push_back({{"committed_at", TimeJson(usage.timestamp_ms)},
                    {"snapshot_id", usage.snapshot_id},
                    {"operation", OrNull(usage.operation)},
                    {"files", usage.files},
                    {"bytes", options.Size(usage.bytes)},
                    {"unique_files", usage.unique_files},
                    {"unique_bytes", options.Size(usage.unique_bytes)},
                    {"shared_bytes", options.Size(usage.bytes - usage.unique_bytes)}});
  }
  PrintRows(options.format, rows,
            {"committed_at", "snapshot_id", "operation", "files", "bytes", "unique_files",
             "unique_bytes", "shared_bytes"},
            {"bytes", "unique_bytes", "shared_bytes"});
}

void PrintPartitions(const UsageOptions& options, const OpenedTable& opened) {
  std::vector<ordered_json> rows;
  for (const UsageOfPartition& usage : UsageByPartition(opened, MakeContext(options.memory))) {
    rows.push_back({{"partition", usage.partition},
                    {"spec_id", usage.spec_id},
                    {"records", usage.records},
                    {"data_files", usage.data_files},
                    {"data_bytes", options.Size(usage.data_bytes)},
                    {"delete_files", usage.delete_files},
                    {"delete_bytes", options.Size(usage.delete_bytes)}});
  }
  PrintRows(options.format, rows,
            {"partition", "spec_id", "records", "data_files", "data_bytes", "delete_files",
             "delete_bytes"},
            {"data_bytes", "delete_bytes"});
}

void PrintColumns(const UsageOptions& options, const OpenedTable& opened) {
  std::vector<ordered_json> rows;
  for (const UsageOfColumn& usage : UsageByColumn(opened, MakeContext(options.memory))) {
    rows.push_back({{"field_id", usage.field_id},
                    {"column", usage.column},
                    {"files", usage.files},
                    {"bytes", options.Size(usage.bytes)}});
  }
  PrintRows(options.format, rows, {"field_id", "column", "files", "bytes"}, {"bytes"});
}

void PrintUsageOf(const OpenedTable& opened, const UsageOptions& options) {
  switch (options.by) {
    case UsageBy::kKind:
      return PrintKinds(options, opened);
    case UsageBy::kSnapshot:
      return PrintSnapshots(options, opened);
    case UsageBy::kPartition:
      return PrintPartitions(options, opened);
    case UsageBy::kColumn:
      return PrintColumns(options, opened);
  }
}

void PrintUsage(const UsageOptions& options) {
  const bool of_table = options.by == UsageBy::kKind || options.by == UsageBy::kSnapshot;
  if (of_table && options.chooses_snapshot()) {
    ThrowUsage("usage by kind and by snapshot is of the whole table, not of one snapshot",
               "--by partition and --by column are of one");
  }
  const OpenedTable opened = Open(options, MakeContext(options.memory));
  OfWholeTable([&] { PrintUsageOf(opened, options); });
}

/// A bound as a cell; a text may be cut inside a character.
ordered_json BoundJson(const Type& type, const std::optional<Value>& bound) {
  if (!bound) return nullptr;
  if (type.id() == TypeId::kString) return ValueToText(type, bound->view());
  return ValueToCell(type, *bound);
}

void PrintStatistics(const ReadingOptions& options) {
  const OpenedTable opened = Open(options, MakeContext(options.memory));
  std::vector<ordered_json> rows;
  const auto columns =
      OfWholeTable([&] { return ReadColumnStatistics(opened, MakeContext(options.memory)); });
  for (const ColumnStatistics& column : columns) {
    rows.push_back({{"field_id", column.field_id},
                    {"column", column.column},
                    {"type", column.type.ToString()},
                    {"value_count", OrNull(column.value_count)},
                    {"null_value_count", OrNull(column.null_value_count)},
                    {"nan_value_count", OrNull(column.nan_value_count)},
                    {"lower_bound", BoundJson(column.type, column.lower_bound)},
                    {"upper_bound", BoundJson(column.type, column.upper_bound)},
                    {"distinct_values", OrNull(column.distinct_values)},
                    {"distinct_snapshot_id", OrNull(column.distinct_snapshot_id)},
                    {"files", column.files},
                    {"counted_files", column.counted_files},
                    {"bounded_files", column.bounded_files}});
  }
  PrintRows(options.format, rows,
            {"field_id", "column", "type", "value_count", "null_value_count", "nan_value_count",
             "lower_bound", "upper_bound", "distinct_values", "distinct_snapshot_id", "files",
             "counted_files", "bounded_files"});
}

void AddUsage(CLI::App* app, const AddCommand& add) {
  auto options = std::make_shared<UsageOptions>();
  CLI::App* verb = app->add_subcommand("du", "Where are the bytes?");
  options->AddTo(verb);
  const std::map<std::string, UsageBy> names = {{"kind", UsageBy::kKind},
                                                {"snapshot", UsageBy::kSnapshot},
                                                {"partition", UsageBy::kPartition},
                                                {"column", UsageBy::kColumn}};
  verb->add_option_function<std::string>(
          "--by",
          [options, names](const std::string& name) {
            const auto at = names.find(name);
            if (at == names.end()) {
              throw CLI::ValidationError(
                  "--by", fmt::format("'{}' is none of kind, snapshot, partition, column", name));
            }
            options->by = at->second;
          },
          "kind of file, or snapshot: over the whole table;\n"
          "partition, or column: over the live files of the chosen snapshot (default: kind)")
      ->type_name("WHAT");
  verb->footer(
      "Examples:\n  nunatak du warehouse/orders\n"
      "  nunatak du warehouse/orders --by snapshot\n"
      "  nunatak du warehouse/orders --by partition --as-of 2026-06-01 --format csv\n"
      "  nunatak du warehouse/orders --by column");
  add(verb, [options] { PrintUsage(*options); });
}

}  // namespace

void AddUsageCommands(CLI::App* app, const AddCommand& add) {
  AddUsage(app, add);
  auto options = std::make_shared<ReadingOptions>();
  CLI::App* verb =
      app->add_subcommand("stats", "Counts, bounds and distinct values of each column");
  options->AddTo(verb);
  verb->footer(
      "Examples:\n  nunatak stats warehouse/orders\n"
      "  nunatak stats warehouse/orders --ref audit --format ndjson | jq .null_value_count");
  add(verb, [options] { PrintStatistics(*options); });
}

}  // namespace nunatak::cli
