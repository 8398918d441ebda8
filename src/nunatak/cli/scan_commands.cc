#include <arrow/api.h>
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "nunatak/cli/column_names.h"
#include "nunatak/cli/commands.h"
#include "nunatak/cli/scan_options.h"
#include "nunatak/cli/scan_progress.h"
#include "nunatak/cli/task_file.h"
#include "nunatak/inspect/size_text.h"
#include "nunatak/read/count_rows.h"
#include "nunatak/read/name_mapping.h"
#include "nunatak/read/select_fields.h"
#include "nunatak/read/table_reader.h"

namespace nunatak::cli {

using nlohmann::ordered_json;

namespace {

/// A table and how the rows of its tasks are read.
struct ScanInProgress : OpenedScan {
  ReadRequest request;
  NextTask next_task;
  /// How many there will be, when that is known.
  std::optional<int64_t> total_files = {};
};

/// The tasks of a file that `plan --tasks` wrote.
ScanInProgress LoadScan(const ScanCommandOptions& options, const Context& context) {
  ScanInProgress scan{{Open(options, context), nullptr, {}, {}}, {}, nullptr};
  scan.case_sensitive = !options.ignore_case && !scan.opened.ignores_case();
  TaskFile file = ReadTaskFile(*options.tasks, scan.opened);
  scan.request.schema = file.header.definitions.schema();
  scan.request.projection = file.header.projection;
  if (file.header.name_mapping) {
    scan.request.name_mapping = NameMapping::Parse(*file.header.name_mapping);
  }
  scan.request.ignore_file_ids = file.header.ignore_file_ids;
  scan.request.with_deleted = file.header.with_deleted;
  scan.request.past_schema = FirstSchemaOf(std::move(file.header.past_schemas));
  scan.request.options.prune = !options.no_pruning;
  scan.request.options.only_arrow = options.arrow_decoder;
  scan.total_files = static_cast<int64_t>(file.tasks.size());
  scan.next_task = TasksInOrder(std::move(file.tasks));
  return scan;
}

/// A scan whose files are planned while the first of them are read.
ScanInProgress BeginScan(const ScanCommandOptions& options, const Context& context) {
  ScanInProgress scan{OpenScan(options, context), {}, nullptr};
  scan.request = scan.input.request;
  scan.request.options.prune = !options.no_pruning;
  scan.request.options.only_arrow = options.arrow_decoder;
  std::shared_ptr<PlanStream> plan =
      TableScan(scan.input.source, scan.filter, {.limit = options.limit}).Stream(context);
  scan.next_task = [plan = std::move(plan)] { return plan->Next(); };
  if (scan.filter.is_true() && !options.limit) scan.total_files = scan.input.total_files;
  return scan;
}

/// The same tasks, counted as they are taken.
NextTask Counted(NextTask next_task, std::shared_ptr<ScanCounters> counters) {
  return [next_task = std::move(next_task), counters = std::move(counters)] {
    std::optional<FileScanTask> task = next_task();
    if (task) ++counters->files;
    return task;
  };
}

void Scan(const ScanCommandOptions& options) {
  ScanOutput output(options.output);
  const Context context = MakeContext(options.memory);
  ScanInProgress scan = options.tasks ? LoadScan(options, context) : BeginScan(options, context);
  ReadRequest& request = scan.request;
  if (options.select) {
    request.projection =
        SelectFields(request.schema, SplitColumnNames(*options.select), scan.case_sensitive);
  }
  request.options.limit = options.limit.value_or(-1);
  const Schema projection = request.projection;
  const auto counters = std::make_shared<ScanCounters>();
  counters->total_files = scan.total_files;
  Progress progress = ShowScan(counters, scan.opened.io());
  TableReader reader(scan.opened.io(), context, std::move(request),
                     Counted(std::move(scan.next_task), counters));
  output.Begin(projection, reader.schema(), context.memory_budget);
  while (const std::shared_ptr<arrow::RecordBatch> batch = reader.Next()) {
    if (output.on_screen()) progress.Stop();  // rows and progress would share the screen
    output.Write(*batch);
    counters->rows += batch->num_rows();
  }
  output.Finish();
}

void Count(const ScanCommandOptions& options) {
  const Context context = MakeContext(options.memory);
  ScanInProgress scan = BeginScan(options, context);
  Progress progress = ShowReads("counting", scan.opened.io());
  const int64_t count = CountRows(scan.opened.io(), context, scan.request, scan.next_task);
  progress.Stop();
  PrintObject(options.format, {{"count", count}}, fmt::format("{}\n", count));
}

CLI::App* AddVerb(CLI::App* app, const char* name, const char* description, const char* examples,
                  ScanCommandOptions* options) {
  CLI::App* verb = app->add_subcommand(name, description);
  options->AddTableTo(verb);
  options->AddWhereTo(verb);
  options->AddPruningTo(verb);
  verb->footer(examples);
  return verb;
}

}  // namespace

void AddScanCommands(CLI::App* app, const AddCommand& add) {
  auto scan_options = std::make_shared<ScanCommandOptions>();
  CLI::App* scan = AddVerb(
      app, "scan", "Rows",
      "Examples:\n  nunatak scan warehouse/orders --limit 10\n"
      "  nunatak scan warehouse/orders --where \"status = 'shipped'\" --select order_id,amount\n"
      "  nunatak scan warehouse/orders --as-of 2026-06-01 --format ndjson\n"
      "  nunatak scan warehouse/orders --since 2026-06-01\n"
      "  nunatak scan warehouse/orders --output orders.parquet",
      scan_options.get());
  scan_options->output.AddTo(scan);
  scan->add_option("--select", scan_options->select,
                   "Columns, nested ones as a.b, metadata columns such as _file; * for all others")
      ->type_name("COLUMN,...");
  AddLimit(scan, &scan_options->limit);
  scan->add_option("--tasks", scan_options->tasks, "Read the tasks of a file that plan wrote")
      ->type_name("FILE")
      ->excludes("--where", "--since", "--snapshot", "--ref", "--as-of");
  add(scan, [scan_options] { Scan(*scan_options); });

  auto count_options = std::make_shared<ScanCommandOptions>();
  CLI::App* count = AddVerb(app, "count", "How many rows",
                            "Examples:\n  nunatak count warehouse/orders\n"
                            "  nunatak count warehouse/orders --where 'amount >= 50'",
                            count_options.get());
  AddFormat(count, &count_options->format);
  add(count, [count_options] { Count(*count_options); });
}

}  // namespace nunatak::cli
