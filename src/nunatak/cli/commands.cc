#include "nunatak/cli/commands.h"

#include <fmt/format.h>

#include <csignal>
#include <new>
#include <string>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/cli/output.h"

namespace nunatak::cli {

namespace {

constexpr int kExitCheckFailed = 1;
constexpr int kExitUsage = 2;
constexpr int kExitIo = 6;

/// A message may go on in indented lines, as a filter with its caret does; any other line end came
/// from what the table calls its own.
std::string Indented(std::string_view message) {
  std::string text = Printable(message);
  for (size_t at = 0; (at = text.find('\n', at)) != std::string::npos; ++at) {
    if (text.compare(at + 1, 2, "  ") != 0) text[at] = ' ';
  }
  return text;
}

void PrintError(const Error& error) {
  const Terminal terminal = Terminal::Of(stderr);
  fmt::print(stderr, "{} {}\n", terminal.Styled(Style::kError, "nunatak:"),
             Indented(error.message()));
  if (error.hint().empty()) return;
  fmt::print(stderr, "{} {}\n", terminal.Styled(Style::kHint, "hint:"), Indented(error.hint()));
}

/// Runs a verb; every way in which it can end becomes an exit code and at most one error.
int RunCommand(const Command& command) {
  try {
    command();
    return 0;
  } catch (const BrokenPipe&) {
    return 0;
  } catch (const CheckFailed&) {
    return kExitCheckFailed;
  } catch (const Error& error) {
    PrintError(error);
    return ExitCode(error.code());
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "nunatak: out of memory\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "nunatak: internal error: {}\n", error.what());
  }
  return kExitIo;
}

/// What comes after `mark` in a message of CLI11; all of it when that is not there.
std::string_view After(std::string_view message, std::string_view mark) {
  const size_t at = message.find(mark);
  return at == std::string_view::npos ? message : message.substr(at + mark.size());
}

/// CLI11's errors in the words of the others.
std::string Wording(const CLI::Error& error, const std::string& verb) {
  const std::string_view message = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const std::string_view extra = After(message, "not expected: ");
    return extra.starts_with('-') ? fmt::format("{}: there is no option {}", verb, extra)
                                  : fmt::format("{}: '{}' is one argument too many", verb, extra);
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    return fmt::format("{} needs a value", message.substr(0, message.find(':')));
  }
  if (message.starts_with("A subcommand is required")) {
    return verb.empty() ? "no verb was given" : fmt::format("{}: it does not say what to do", verb);
  }
  return std::string(message);
}

std::string FailureMessage(const CLI::App* app, const CLI::Error& error) {
  const std::vector<CLI::App*> verbs = app->get_subcommands();
  const std::string verb = verbs.empty() ? "" : verbs.front()->get_name();
  return fmt::format("nunatak: {}\nhint: nunatak {}--help lists what there is\n",
                     Wording(error, verb), verb.empty() ? "" : verb + " ");
}

/// CLI11 would say only that a verb is missing.
bool IsUnknownVerb(CLI::App* app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return false;
  const auto named = [argv](const CLI::App* verb) { return verb->get_name() == argv[1]; };
  if (!app->get_subcommands(named).empty()) return false;
  fmt::print(stderr, "nunatak: there is no verb '{}'\nhint: nunatak --help lists the verbs\n",
             argv[1]);
  return true;
}

/// Gives the verbs that were added since the last title a heading in the help.
void Title(CLI::App* app, const std::string& title) {
  const auto is_new = [app](const CLI::App* verb) { return verb->get_group() == app->get_group(); };
  for (CLI::App* verb : app->get_subcommands(is_new)) verb->group(title);
}

}  // namespace

int Run(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that goes away is seen as a failed write
  CLI::App app("Opens any lakehouse table, shows what is in it and why, and reads it.", "nunatak");
  app.set_version_flag("--version", "nunatak " NUNATAK_VERSION);
  app.require_subcommand(1);
  app.footer(
      "nunatak VERB --help shows a verb's options and examples.\n"
      "Exit codes: 0 fine, 1 a check found something, 2 usage, 3 not found, 4 invalid table\n"
      "or data, 5 unsupported, 6 I/O.");
  Command chosen;
  const AddCommand add = [&chosen](CLI::App* verb, Command run) {
    verb->callback([&chosen, run = std::move(run)] { chosen = run; });
  };
  AddTableCommands(&app, add);
  Title(&app, "What the table is");
  AddMetadataCommands(&app, add);
  Title(&app, "Its metadata, as tables with filters");
  AddPlanCommand(&app, add);
  AddExplainCommand(&app, add);
  Title(&app, "Why a query is slow");
  AddScanCommands(&app, add);
  Title(&app, "Its rows");
  AddHealthCommand(&app, add);
  AddVerifyCommand(&app, add);
  AddUsageCommands(&app, add);
  Title(&app, "Whether it is sound and healthy, and where its bytes are");
  AddChangesCommand(&app, add);
  AddHistoryOfCommand(&app, add);
  AddDiffCommand(&app, add);
  Title(&app, "What changed, and by which snapshot");
  AddCacheCommands(&app, add);
  AddCompletionCommand(&app, add);
  Title(&app, "Around it");
  app.failure_message(FailureMessage);
  if (IsUnknownVerb(&app, argc, argv)) return kExitUsage;
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kExitUsage;
  }
  return RunCommand(chosen);
}

}  // namespace nunatak::cli
