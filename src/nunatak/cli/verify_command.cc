#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>

#include "nunatak/base/error.h"
#include "nunatak/cli/commands.h"
#include "nunatak/cli/memory_option.h"
#include "nunatak/cli/progress.h"
#include "nunatak/cli/scan_options.h"
#include "nunatak/cli/table_options.h"
#include "nunatak/inspect/counted.h"
#include "nunatak/inspect/verify/verify_source.h"

namespace nunatak::cli {

using nlohmann::ordered_json;

namespace {

struct VerifyCommandOptions : TableOptions {
  bool all = false;
  bool deep = false;
  bool metadata_only = false;
  bool strict = false;
  MemoryOption memory;
};

ordered_json TextOrNull(const std::string& text) {
  return text.empty() ? ordered_json() : ordered_json(text);
}

ordered_json RowOf(const Finding& finding) {
  return {{"severity", ToString(finding.severity())},
          {"check", finding.name()},
          {"snapshot_id", finding.snapshot_id ? ordered_json(*finding.snapshot_id) : nullptr},
          {"file", finding.file},
          {"field", TextOrNull(finding.field)},
          {"found", TextOrNull(finding.found)},
          {"expected", TextOrNull(finding.expected)},
          {"message", finding.message}};
}

/// Prints findings as they come: for people as sentences, each with its place below it.
class FindingPrinter {
 public:
  explicit FindingPrinter(OutputFormat format) : format_(format) {
    if (format == OutputFormat::kTable) return;
    rows_.emplace(format,
                  std::vector<std::string>{"severity", "check", "snapshot_id", "file", "field",
                                           "found", "expected", "message"},
                  Terminal::Of(stdout));
  }

  void Add(const Finding& finding) {
    if (rows_) return rows_->Add(RowOf(finding));
    const Terminal terminal = Terminal::Of(stdout);
    const bool is_error = finding.severity() == Severity::kError;
    WriteAll(stdout, fmt::format("{} {}\n  {}: {}{}\n",
                                 terminal.Styled(is_error ? Style::kError : Style::kHint,
                                                 fmt::format("{}:", ToString(finding.severity()))),
                                 PrintableLine(finding.message), finding.name(),
                                 PrintableLine(finding.file),
                                 finding.field.empty() ? "" : ", " + PrintableLine(finding.field)));
  }

  void Finish(const std::string& verdict) {
    if (rows_) return rows_->Finish();
    WriteAll(stdout, verdict + "\n");
  }

 private:
  OutputFormat format_;
  std::optional<RowPrinter> rows_;
};

/// "3 snapshots, 12 manifests, 340 files checked; 100 rows of 5 files read".
std::string CheckedText(const VerifyCounters& counters) {
  std::string text = fmt::format("{} checked", Counted(counters.files, "file"));
  if (counters.has_manifests) {
    text = fmt::format("{}, {}, {}", Counted(counters.snapshots, "snapshot"),
                       Counted(counters.manifests, "manifest"), text);
  }
  if (counters.opened == 0) return text;
  return fmt::format("{}; {} of {} read", text, Counted(counters.rows, "row"),
                     Counted(counters.opened, "file"));
}

std::string Verdict(const VerifyCounters& counters) {
  const std::string warnings = Counted(counters.warnings, "warning");
  if (counters.errors > 0) {
    return fmt::format("not sound: {}, {}; {}", Counted(counters.errors, "error"), warnings,
                       CheckedText(counters));
  }
  return fmt::format("sound{}: {}", counters.warnings > 0 ? ", with " + warnings : "",
                     CheckedText(counters));
}

void VerifyOpened(const VerifyCommandOptions& options, const OpenedTable& opened,
                  const Context& context, FindingPrinter* printer, VerifyCounters* counters) {
  Progress progress(Terminal::Of(stderr), [counters] { return CheckedText(*counters); });
  nunatak::Verify(
      opened, context,
      {.all_snapshots = options.all,
       .look_for_files = !options.metadata_only,
       .deep = options.deep},
      [printer](const Finding& finding) { printer->Add(finding); }, counters);
}

void Verify(const VerifyCommandOptions& options) {
  if (options.all && options.chooses_snapshot()) {
    ThrowUsage("--all checks every snapshot, and cannot be combined with the choice of one");
  }
  if (options.deep && options.metadata_only) {
    ThrowUsage("--deep opens data files, which --metadata-only leaves alone");
  }
  const Context context = MakeContext(options.memory);
  FindingPrinter printer(options.format);
  VerifyCounters counters;
  std::optional<OpenedTable> opened;
  try {
    opened = Open(options, context);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kInvalid) throw;
    ++counters.errors;
    printer.Add(
        {.check = Check::kMetadataInvalid, .file = options.location, .message = error.message()});
  }
  if (opened) VerifyOpened(options, *opened, context, &printer, &counters);
  printer.Finish(Verdict(counters));
  if (counters.errors > 0 || (options.strict && counters.warnings > 0)) throw CheckFailed();
}

}  // namespace

void AddVerifyCommand(CLI::App* app, const AddCommand& add) {
  auto options = std::make_shared<VerifyCommandOptions>();
  CLI::App* verb = app->add_subcommand("verify", "Is this table sound?");
  options->AddTo(verb);
  options->memory.AddTo(verb);
  verb->add_flag("--all", options->all, "Every snapshot, not the chosen one alone");
  verb->add_flag("--deep", options->deep,
                 "Open data and delete files too, and hold every row against the metadata");
  verb->add_flag("--metadata-only", options->metadata_only,
                 "Do not look for data, statistics and earlier metadata files");
  verb->add_flag("--strict", options->strict, "Exit with 1 for warnings, too");
  verb->footer(
      "Exits with 1 when there are errors. docs/verify.md says what each check means.\n"
      "Examples:\n  nunatak verify warehouse/orders\n"
      "  nunatak verify warehouse/orders --all --deep\n"
      "  nunatak verify warehouse/orders --format ndjson | jq 'select(.severity == \"error\")'");
  add(verb, [options] { Verify(*options); });
}

}  // namespace nunatak::cli
