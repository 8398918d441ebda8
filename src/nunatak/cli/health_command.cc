#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "nunatak/cli/commands.h"
#include "nunatak/cli/memory_option.h"
#include "nunatak/cli/output_file.h"
#include "nunatak/cli/scan_options.h"
#include "nunatak/cli/table_options.h"
#include "nunatak/cli/whole_table.h"
#include "nunatak/inspect/health/health_output.h"
#include "nunatak/inspect/health/source_health.h"

namespace nunatak::cli {

using nlohmann::ordered_json;

namespace {

struct HealthCommandOptions : TableOptions {
  bool list = false;
  std::optional<std::string> html;
  std::optional<std::string> fail_on;
  MemoryOption memory;
};

Style StyleOf(HealthSeverity severity) {
  return severity == HealthSeverity::kSerious ? Style::kError : Style::kHint;
}

/// A finding in lines: what, why, and what to run.
void PrintFinding(const HealthFinding& finding) {
  const Terminal terminal = Terminal::Of(stdout);
  std::string text =
      fmt::format("\n{} {}: {}\n  why: {}\n",
                  terminal.Styled(StyleOf(finding.severity), ToString(finding.severity)),
                  finding.name(), PrintableLine(finding.title), finding.why());
  const ordered_json row = FindingToJson(finding);
  for (const ordered_json& line : row["remedy"]) {
    text += fmt::format("  {}\n", line.get<std::string>());
  }
  WriteAll(stdout, text);
}

void PrintReport(const HealthReport& report) {
  WriteAll(stdout, fmt::format("{}\n{}\n{}\n", PrintableLine(report.location),
                               HealthVerdict(report), HealthSize(report)));
  for (const HealthFinding& finding : report.findings) PrintFinding(finding);
}

void PrintRows(const HealthReport& report, OutputFormat format) {
  RowPrinter printer(format, {"check", "severity", "title", "figures", "why", "remedy"},
                     Terminal::Of(stdout));
  for (const HealthFinding& finding : report.findings) printer.Add(FindingToJson(finding));
  printer.Finish();
}

void Print(const HealthReport& report, OutputFormat format) {
  if (format == OutputFormat::kTable) return PrintReport(report);
  if (format == OutputFormat::kJson) return PrintObject(format, HealthToJson(report), "");
  PrintRows(report, format);
}

void WritePage(const HealthReport& report, const std::string& name) {
  OutputFile file(name);
  WriteAll(file.stream(), HealthPage(report));
  file.Commit();
}

int64_t NowMs() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

void Health(const HealthCommandOptions& options) {
  const Context context = MakeContext(options.memory);
  const OpenedTable opened = Open(options, context);
  Progress progress = ShowReads("measuring", opened.io());
  const HealthReport report = OfWholeTable(
      [&] { return MeasureHealth(opened, context, {.now_ms = NowMs(), .list = options.list}); });
  progress.Stop();
  if (options.html) WritePage(report, *options.html);
  Print(report, options.format);
  if (!options.fail_on || report.findings.empty()) return;
  const HealthSeverity worst = report.findings.front().severity;
  const bool fails = worst == HealthSeverity::kSerious ||
                     (worst == HealthSeverity::kWarning && *options.fail_on == "warning");
  if (fails) throw CheckFailed();
}

}  // namespace

void AddHealthCommand(CLI::App* app, const AddCommand& add) {
  auto options = std::make_shared<HealthCommandOptions>();
  CLI::App* verb = app->add_subcommand(
      "health", "Is this table healthy? What makes it slow or dear, and what helps");
  options->AddTo(verb);
  verb->add_option(
          "--html", options->html,
          "Also write a page with charts: file sizes, partitions, commits, overlap, deletes")
      ->type_name("FILE");
  verb->add_flag("--list", options->list,
                 "List the table's directories too, for files that nothing names");
  verb->add_option_function<std::string>(
          "--fail-on",
          [options](const std::string& name) {
            if (name != "warning" && name != "serious") {
              throw CLI::ValidationError("--fail-on",
                                         fmt::format("'{}' is none of warning, serious", name));
            }
            options->fail_on = name;
          },
          "Exit with 1 when something so severe is found: warning or serious")
      ->type_name("SEVERITY");
  options->memory.AddTo(verb);
  verb->footer(
      "Reads metadata and manifests alone. In what to run, db.table stands for the table's name.\n"
      "docs/health.md says when each finding is given, and what the score is.\n"
      "Examples:\n  nunatak health warehouse/orders\n"
      "  nunatak health warehouse/orders --html orders.html\n"
      "  nunatak health warehouse/orders --list --fail-on serious\n"
      "  nunatak health warehouse/orders --format json | jq .score");
  add(verb, [options] { Health(*options); });
}

}  // namespace nunatak::cli
