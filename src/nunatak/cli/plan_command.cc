#include <fmt/format.h>

#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "nunatak/cli/column_names.h"
#include "nunatak/cli/commands.h"
#include "nunatak/cli/scan_options.h"
#include "nunatak/cli/task_file.h"
#include "nunatak/inspect/counted.h"
#include "nunatak/inspect/size_text.h"
#include "nunatak/plan/file_scan_task_json.h"
#include "nunatak/read/select_fields.h"

namespace nunatak::cli {

using nlohmann::ordered_json;

namespace {

/// One row per task, short enough to read.
ordered_json TaskRow(const FileScanTask& task) {
  const DataFile& file = *task.data_file;
  return {{"file", file.file_path},           {"records", file.record_count},
          {"bytes", file.file_size_in_bytes}, {"sequence_number", task.data_sequence_number},
          {"deletes", task.deletes.size()},   {"residual", FilterToText(*task.residual)}};
}

RowPrinter TaskPrinter(OutputFormat format) {
  return RowPrinter(format, {"file", "records", "bytes", "sequence_number", "deletes", "residual"},
                    Terminal::Of(stdout));
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

std::string SummaryText(const PlanCounts& counts, const ScanInput& input, size_t delete_files) {
  std::string text = fmt::format(
      "{} of {} planned, {}, {}; {} of {} {} read, {}", counts.planned_files,
      Counted(counts.data_files, "file"), Counted(counts.planned_records, "row"),
      SizeText(counts.planned_bytes), counts.data_groups_read + counts.delete_groups_read,
      counts.data_groups + counts.delete_groups, input.group_nouns,
      Counted(delete_files, "delete file"));
  if (input.reads) {
    for (const auto& [what, count] : input.reads()) text += fmt::format(", {} {}", count, what);
  }
  return text + "\n";
}

/// Adds what finding the files took, where the format counts it.
void AddReads(const ScanInput& input, ordered_json* plan) {
  if (!input.reads) return;
  for (const auto& [what, count] : input.reads()) (*plan)["reads"][std::string(what)] = count;
}

/// What `--stats` prints: what went in and out at each level, and what it took.
ordered_json StatsJson(const PlanCounts& counts, const OpenedScan& scan) {
  const IoCounters io = scan.opened.io()->counters();
  const iceberg::ManifestCacheCounters cache =
      scan.cache ? scan.cache->counters() : iceberg::ManifestCacheCounters{};
  return {
      {"data-manifests", {{"total", counts.data_groups}, {"read", counts.data_groups_read}}},
      {"delete-manifests", {{"total", counts.delete_groups}, {"read", counts.delete_groups_read}}},
      {"data-files",
       {{"read", counts.data_files},
        {"pruned-by-partition", counts.pruned_by_partition},
        {"pruned-by-metrics", counts.pruned_by_metrics},
        {"planned", counts.planned_files}}},
      {"delete-files",
       {{"read", counts.delete_files + counts.delete_files_pruned},
        {"pruned", counts.delete_files_pruned},
        {"references", counts.delete_references}}},
      {"requests", io.requests},
      {"bytes-read", io.bytes_read},
      {"memory",
       {{"window-bytes", counts.peak_window_bytes},
        {"delete-index-bytes", counts.delete_index_bytes},
        {"cache-bytes", cache.file_bytes + cache.column_bytes}}},
      {"disk-cache", {{"hits", cache.disk_hits}, {"writes", cache.disk_writes}}},
      {"seconds",
       {{"open", scan.seconds},
        {"deletes", counts.delete_seconds},
        {"total", scan.seconds + counts.seconds}}},
      {"thread-seconds",
       {{"fetch", counts.fetch_seconds},
        {"decode", counts.decode_seconds},
        {"select", counts.select_seconds}}}};
}

std::string StatsText(const ordered_json& stats) {
  std::string text;
  for (const auto& [name, value] : stats.items()) {
    text += fmt::format("{:<17}", name);
    if (!value.is_object()) text += " " + value.dump();
    for (const auto& [part, number] : value.items()) {
      if (value.is_object()) text += fmt::format(" {} {};", part, number.dump());
    }
    if (text.ends_with(';')) text.pop_back();
    text += "\n";
  }
  return text;
}

/// The plan without its tasks, which are counted as they come and not kept.
void PrintSummary(const ScanCommandOptions& options, const OpenedScan& scan, PlanStream* stream) {
  std::unordered_set<const DeleteFile*> deletes;
  while (const std::optional<FileScanTask> task = stream->Next()) {
    for (const auto& file : task->deletes) deletes.insert(file.get());
  }
  const PlanCounts counts = stream->counts();
  ordered_json json = PlanSummaryToJson(counts, *scan.input.source);
  AddReads(scan.input, &json);
  std::string text = SummaryText(counts, scan.input, deletes.size());
  if (options.stats) {
    json["stats"] = StatsJson(counts, scan);
    text += StatsText(json["stats"]);
  }
  PrintObject(options.format, json, text);
}

/// Rows as the tasks come: the first are there while later manifests are read.
void PrintAsPlanned(OutputFormat format, PlanStream* stream) {
  RowPrinter printer = TaskPrinter(format);
  while (const std::optional<FileScanTask> task = stream->Next()) printer.Add(TaskRow(*task));
  printer.Finish();
}

TaskSetHeader TaskHeader(const ScanCommandOptions& options, const OpenedScan& scan,
                         const std::vector<FileScanTask>& tasks) {
  TaskSetHeader header = HeaderOf(scan, tasks);
  if (options.select) {
    header.projection = SelectFields(scan.input.request.schema, SplitColumnNames(*options.select),
                                     scan.case_sensitive);
  }
  return header;
}

void PrintCollected(const ScanCommandOptions& options, const OpenedScan& scan,
                    TableScan::Result plan) {
  DeleteReferences references;
  for (const FileScanTask& task : plan.tasks) {
    for (const auto& file : task.deletes) references.IndexOf(file);
  }
  std::string text = SummaryText(plan.counts, scan.input, references.files().size());
  std::optional<std::vector<PlannedGroup>> groups;
  if (options.splits.asked()) {
    groups = SplitTasks(options.splits.OptionsFor(scan.input.find_property), &plan.tasks);
    text += fmt::format("{} splits in {} groups\n", plan.tasks.size(), groups->size());
  }
  const bool as_json = options.format == OutputFormat::kJson;
  if (options.tasks && !as_json) {
    return WriteTaskFile(*options.tasks, TaskHeader(options, scan, plan.tasks), plan.tasks);
  }
  if (as_json) {
    ordered_json json = PlanToJson(plan, *scan.input.source);
    AddReads(scan.input, &json);
    if (groups) json["groups"] = GroupsToJson(*groups);
    if (!options.tasks) return PrintObject(options.format, json, "");
    json.update(TaskSetHeaderToJson(TaskHeader(options, scan, plan.tasks)));
    return WriteTaskFile(*options.tasks, json);
  }
  if (options.format == OutputFormat::kTable) WriteAll(stdout, text + "\n");
  if (groups) return PrintGroups(*groups, plan.tasks, options.format);
  RowPrinter printer = TaskPrinter(options.format);
  for (const FileScanTask& task : plan.tasks) printer.Add(TaskRow(task));
  printer.Finish();
}

void Plan(const ScanCommandOptions& options) {
  const Context context = MakeContext(options.memory);
  OpenedScan scan = OpenScan(options, context);
  const bool rows = options.format == OutputFormat::kNdjson || options.format == OutputFormat::kCsv;
  const bool whole = options.format == OutputFormat::kJson || options.tasks.has_value();
  const bool summary = options.summary || options.stats;
  const TableScan table_scan(scan.input.source, std::move(scan.filter),
                             {.column_metrics = whole && !summary});
  Progress progress = ShowReads("planning", scan.opened.io());
  if (summary || (rows && !options.tasks && !options.splits.asked())) {
    const std::unique_ptr<PlanStream> stream = table_scan.Stream(context);
    if (summary) return PrintSummary(options, scan, stream.get());
    if (Terminal::Of(stdout).interactive) progress.Stop();
    return PrintAsPlanned(options.format, stream.get());
  }
  TableScan::Result plan = table_scan.PlanFiles(context);
  progress.Stop();
  PrintCollected(options, scan, std::move(plan));
}

}  // namespace

void AddPlanCommand(CLI::App* app, const AddCommand& add) {
  auto options = std::make_shared<ScanCommandOptions>();
  CLI::App* plan =
      app->add_subcommand("plan", "Which files a query reads, and which deletes apply");
  options->AddTo(plan);
  options->AddWhereTo(plan);
  options->splits.AddTo(plan);
  CLI::Option* tasks =
      plan->add_option("--tasks", options->tasks,
                       "Write the tasks to a file (-: standard output), for scan --tasks; as JSON "
                       "with --format json")
          ->type_name("FILE");
  plan->add_option("--select", options->select, "Which columns a scan of the tasks returns")
      ->type_name("COLUMN,...")
      ->needs(tasks);
  plan->add_flag("--summary", options->summary, "Only what the tasks come to")->excludes(tasks);
  plan->add_flag("--stats", options->stats,
                 "The summary, and what was pruned at each level, memory and time")
      ->excludes(tasks);
  plan->footer(
      "Examples:\n  nunatak plan warehouse/orders --where 'order_id > 250'\n"
      "  nunatak plan warehouse/orders --format json\n"
      "  nunatak plan warehouse/orders --where \"status = 'shipped'\" --stats");
  add(plan, [options] { Plan(*options); });
}

}  // namespace nunatak::cli
