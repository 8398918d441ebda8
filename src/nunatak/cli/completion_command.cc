#include <memory>
#include <string>

#include "nunatak/cli/commands.h"
#include "nunatak/cli/completion.h"
#include "nunatak/cli/output.h"

namespace nunatak::cli {

void AddCompletionCommand(CLI::App* app, const AddCommand& add) {
  auto shell = std::make_shared<std::string>();
  CLI::App* completion =
      app->add_subcommand("completion", "A script that completes verbs and options in a shell");
  completion->add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->type_name("")
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  completion->footer(
      "Examples:\n  eval \"$(nunatak completion bash)\"\n"
      "  nunatak completion zsh >> ~/.zshrc\n"
      "  nunatak completion fish > ~/.config/fish/completions/nunatak.fish");
  add(completion, [app, shell] { WriteAll(stdout, CompletionScript(*app, *shell)); });
}

}  // namespace nunatak::cli
