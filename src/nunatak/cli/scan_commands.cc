#include <arrow/api.h>
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "nunatak/cli/column_names.h"
#include "nunatak/cli/commands.h"
#include "nunatak/cli/progress.h"
#include "nunatak/cli/split_plan.h"
#include "nunatak/cli/table_options.h"
#include "nunatak/cli/task_file.h"
#include "nunatak/iceberg/iceberg_source.h"
#include "nunatak/inspect/size_text.h"
#include "nunatak/plan/file_scan_task_json.h"
#include "nunatak/plan/table_scan.h"
#include "nunatak/read/cell.h"
#include "nunatak/read/count_rows.h"
#include "nunatak/read/name_mapping.h"
#include "nunatak/read/select_fields.h"
#include "nunatak/read/table_reader.h"

namespace nunatak::cli {

using nlohmann::ordered_json;

namespace {

struct ScanCommandOptions : TableOptions {
  std::string where;
  /// plan: into which splits, and the file that the tasks are written to; scan: that they are from.
  SplitFlags splits;
  std::optional<std::string> tasks;
  std::optional<std::string> select;
  std::optional<int64_t> limit;
};

/// A table, opened and planned.
struct PlannedScan {
  OpenedTable opened;
  std::shared_ptr<const SnapshotSource> source;
  TableScan::Result plan;
};

Context MakeContext() {
  Context context;
  context.executor = MakeThreadPool(static_cast<int>(std::thread::hardware_concurrency()));
  return context;
}

/// Says what goes on, and how much was read for it.
Progress ShowReads(std::string doing, std::shared_ptr<FileIO> io) {
  return Progress(Terminal::Of(stderr), [doing = std::move(doing), io = std::move(io)] {
    const IoCounters counters = io->counters();
    return fmt::format("{}: {} requests, {}", doing, counters.requests,
                       SizeText(counters.bytes_read));
  });
}

/// Shows the reading of the files of a plan.
Progress ShowReads(const PlannedScan& scan) {
  return ShowReads(fmt::format("reading {} files", scan.plan.counts.planned_files),
                   scan.opened.table.io);
}

PlannedScan PlanScan(const ScanCommandOptions& options, const Context& context,
                     ScanOptions scan_options = {}) {
  PlannedScan scan{Open(options), nullptr, {}};
  const Progress progress = ShowReads("planning", scan.opened.table.io);
  scan.source = iceberg::MakeSnapshotSource(scan.opened.table, scan.opened.snapshot);
  BoundFilter filter = BindFilter(options.where, scan.source->schema(), !options.ignore_case);
  scan.plan = TableScan(scan.source, std::move(filter), scan_options).PlanFiles(context);
  return scan;
}

ReadRequest RequestFor(const PlannedScan& scan) {
  ReadRequest request{.schema = scan.source->schema(), .projection = scan.source->schema()};
  const auto mapping = scan.opened.table.metadata->FindProperty(kNameMappingProperty);
  if (mapping) request.name_mapping = NameMapping::Parse(*mapping);
  return request;
}

std::vector<std::string> TopLevelNames(const Schema& schema) {
  std::vector<std::string> names;
  for (const Field& field : schema.fields()) names.push_back(field.name);
  return names;
}

/// The tasks of a file that `plan --tasks` wrote.
PlannedScan LoadScan(const ScanCommandOptions& options, ReadRequest* request) {
  PlannedScan scan{Open(options), nullptr, {}};
  TaskFile file = ReadTaskFile(*options.tasks, scan.opened.table);
  request->schema = file.header.definitions.schema();
  request->projection = file.header.projection;
  if (file.header.name_mapping)
    request->name_mapping = NameMapping::Parse(*file.header.name_mapping);
  scan.plan.counts.planned_files = static_cast<int64_t>(file.tasks.size());
  scan.plan.tasks = std::move(file.tasks);
  return scan;
}

void Scan(const ScanCommandOptions& options) {
  const Context context = MakeContext();
  ReadRequest request;
  PlannedScan scan = options.tasks ? LoadScan(options, &request) : PlanScan(options, context);
  if (!options.tasks) request = RequestFor(scan);
  if (options.select) {
    request.projection =
        SelectFields(request.schema, SplitColumnNames(*options.select), !options.ignore_case);
  }
  request.options.limit = options.limit.value_or(-1);
  const Schema projection = request.projection;
  const Terminal output = Terminal::Of(stdout);
  Progress progress = ShowReads(scan);
  TableReader reader(scan.opened.table.io, context, std::move(request), std::move(scan.plan.tasks));
  RowPrinter printer(options.format, TopLevelNames(projection), output);
  while (const std::shared_ptr<arrow::RecordBatch> batch = reader.Next()) {
    if (output.interactive) progress.Stop();  // rows and progress would share the screen
    for (int64_t row = 0; row < batch->num_rows(); ++row) {
      printer.Add(RowToJson(projection, *batch, row));
    }
  }
  printer.Finish();
}

void Count(const ScanCommandOptions& options) {
  const Context context = MakeContext();
  const PlannedScan scan = PlanScan(options, context);
  Progress progress = ShowReads(scan);
  const int64_t count = CountRows(scan.opened.table.io, context, RequestFor(scan), scan.plan.tasks);
  progress.Stop();
  PrintObject(options.format, {{"count", count}}, fmt::format("{}\n", count));
}

/// One row per task, short enough to read.
ordered_json TaskRow(const FileScanTask& task) {
  const DataFile& file = *task.data_file;
  return {{"file", file.file_path},           {"records", file.record_count},
          {"bytes", file.file_size_in_bytes}, {"sequence_number", task.data_sequence_number},
          {"deletes", task.deletes.size()},   {"residual", FilterToText(*task.residual)}};
}

std::string PlanText(const PlannedScan& scan) {
  const PlanCounts& counts = scan.plan.counts;
  int64_t records = 0;
  int64_t bytes = 0;
  std::set<const DeleteFile*> deletes;
  for (const FileScanTask& task : scan.plan.tasks) {
    records += task.data_file->record_count;
    bytes += task.data_file->file_size_in_bytes;
    for (const auto& file : task.deletes) deletes.insert(file.get());
  }
  return fmt::format(
      "{} of {} files planned, {} rows, {}; {} of {} manifests read, {} delete files\n",
      counts.planned_files, counts.data_files, records, SizeText(bytes),
      counts.data_groups_read + counts.delete_groups_read,
      counts.data_groups + counts.delete_groups, deletes.size());
}

/// The rows of a plan in groups: each task with its group and its range.
void PrintGroups(const std::vector<PlannedGroup>& groups, const std::vector<FileScanTask>& tasks,
                 OutputFormat format) {
  RowPrinter printer(format,
                     {"group", "file", "start", "length", "records", "bytes", "sequence_number",
                      "deletes", "residual"},
                     Terminal::Of(stdout));
  auto task = tasks.begin();
  for (size_t group = 0; group < groups.size(); ++group) {
    for (const auto end = task + static_cast<std::ptrdiff_t>(groups[group].tasks); task != end;
         ++task) {
      ordered_json row = {
          {"group", group}, {"file", ""}, {"start", task->start}, {"length", task->length}};
      row.update(TaskRow(*task));
      printer.Add(row);
    }
  }
  printer.Finish();
}

void PrintTasks(const std::vector<FileScanTask>& tasks, OutputFormat format) {
  RowPrinter printer(format, {"file", "records", "bytes", "sequence_number", "deletes", "residual"},
                     Terminal::Of(stdout));
  for (const FileScanTask& task : tasks) printer.Add(TaskRow(task));
  printer.Finish();
}

void Plan(const ScanCommandOptions& options) {
  const Context context = MakeContext();
  const bool whole = options.format == OutputFormat::kJson || options.tasks.has_value();
  PlannedScan scan = PlanScan(options, context, {.column_metrics = whole});
  std::string text = PlanText(scan);
  std::optional<std::vector<PlannedGroup>> groups;
  if (options.splits.asked()) {
    groups = SplitTasks(options.splits.OptionsFor(*scan.opened.table.metadata), &scan.plan.tasks);
    text += fmt::format("{} splits in {} groups\n", scan.plan.tasks.size(), groups->size());
  }
  if (options.tasks) {
    return WriteTaskFile(*options.tasks, scan.opened.table, *scan.source, scan.plan.tasks);
  }
  if (options.format == OutputFormat::kJson) {
    ordered_json json = PlanToJson(scan.plan, *scan.source);
    if (groups) json["groups"] = GroupsToJson(*groups);
    return PrintObject(options.format, json, "");
  }
  if (options.format == OutputFormat::kTable) WriteAll(stdout, text + "\n");
  if (groups) return PrintGroups(*groups, scan.plan.tasks, options.format);
  PrintTasks(scan.plan.tasks, options.format);
}

CLI::App* AddVerb(CLI::App* app, const char* name, const char* description, const char* examples,
                  ScanCommandOptions* options) {
  CLI::App* verb = app->add_subcommand(name, description);
  options->AddTo(verb);
  verb->add_option("--where", options->where,
                   "Filter: SQL-like text, or the REST specification's expression JSON")
      ->type_name("FILTER");
  verb->footer(examples);
  return verb;
}

}  // namespace

void AddScanCommands(CLI::App* app, const AddCommand& add) {
  auto plan_options = std::make_shared<ScanCommandOptions>();
  CLI::App* plan = AddVerb(app, "plan", "Which files a query reads, and which deletes apply",
                           "Examples:\n  nunatak plan warehouse/orders --where 'order_id > 250'\n"
                           "  nunatak plan warehouse/orders --format json",
                           plan_options.get());
  plan_options->splits.AddTo(plan);
  plan->add_option("--tasks", plan_options->tasks,
                   "Write the tasks to a file (-: standard output), for scan --tasks")
      ->type_name("FILE");
  add(plan, [plan_options] { Plan(*plan_options); });

  auto scan_options = std::make_shared<ScanCommandOptions>();
  CLI::App* scan = AddVerb(
      app, "scan", "Rows",
      "Examples:\n  nunatak scan warehouse/orders --limit 10\n"
      "  nunatak scan warehouse/orders --where \"status = 'shipped'\" --select order_id,amount\n"
      "  nunatak scan warehouse/orders --as-of 2026-06-01 --format ndjson",
      scan_options.get());
  scan->add_option("--select", scan_options->select, "Columns, nested ones as a.b")
      ->type_name("COLUMN,...");
  AddNumber(scan, "--limit", "Stop after this many rows", &scan_options->limit)
      ->type_name("N")
      ->check([](const std::string& text) {
        return text.starts_with('-') ? "must be 0 or more" : std::string();
      });
  scan->add_option("--tasks", scan_options->tasks, "Read the tasks of a file that plan wrote")
      ->type_name("FILE")
      ->excludes("--where", "--snapshot", "--ref", "--as-of");
  add(scan, [scan_options] { Scan(*scan_options); });

  auto count_options = std::make_shared<ScanCommandOptions>();
  CLI::App* count = AddVerb(app, "count", "How many rows",
                            "Examples:\n  nunatak count warehouse/orders\n"
                            "  nunatak count warehouse/orders --where 'amount >= 50'",
                            count_options.get());
  add(count, [count_options] { Count(*count_options); });
}

}  // namespace nunatak::cli
