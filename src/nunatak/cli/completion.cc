#include "nunatak/cli/completion.h"

#include <fmt/format.h>

#include <vector>

namespace nunatak::cli {

namespace {

std::vector<const CLI::App*> VerbsOf(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

/// The long options of a verb, and its own verbs, with a blank between them.
std::string WordsOf(const CLI::App& verb) {
  std::string words;
  for (const CLI::Option* option : verb.get_options()) {
    for (const std::string& name : option->get_lnames()) words += " --" + name;
  }
  for (const CLI::App* inner : VerbsOf(verb)) words += " " + inner->get_name();
  return words.empty() ? words : words.substr(1);
}

std::string BashScript(const CLI::App& app) {
  std::string verbs;
  std::string cases;
  for (const CLI::App* verb : VerbsOf(app)) {
    verbs += " " + verb->get_name();
    cases += fmt::format("    {}) words='{}' ;;\n", verb->get_name(), WordsOf(*verb));
  }
  // Where there is nothing to offer, the shell completes file names.
  return fmt::format(
      "_nunatak() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} words=''\n"
      "  case ${{COMP_WORDS[1]}} in\n"
      "{}"
      "  esac\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then words='{} --help --version'; fi\n"
      "  COMPREPLY=()\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ] || [ \"${{current#-}}\" != \"$current\" ]; then\n"
      "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
      "  fi\n"
      "}}\n"
      "complete -o default -F _nunatak nunatak\n",
      cases, verbs.substr(1));
}

/// A text as a fish string.
std::string Quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

std::string FishScript(const CLI::App& app) {
  std::string script;
  for (const CLI::App* verb : VerbsOf(app)) {
    script += fmt::format("complete -c nunatak -n __fish_use_subcommand -f -a {} -d {}\n",
                          verb->get_name(), Quoted(verb->get_description()));
    for (const CLI::Option* option : verb->get_options()) {
      for (const std::string& name : option->get_lnames()) {
        script +=
            fmt::format("complete -c nunatak -n '__fish_seen_subcommand_from {}' -l {}{} -d {}\n",
                        verb->get_name(), name, option->get_type_size() > 0 ? " -r" : "",
                        Quoted(option->get_description()));
      }
    }
    for (const CLI::App* inner : VerbsOf(*verb)) {
      script += fmt::format("complete -c nunatak -n '__fish_seen_subcommand_from {}' -f -a {}\n",
                            verb->get_name(), inner->get_name());
    }
  }
  return script;
}

}  // namespace

std::string CompletionScript(const CLI::App& app, std::string_view shell) {
  if (shell == "fish") return FishScript(app);
  // zsh runs bash's completions, once it is told to.
  const std::string_view prelude =
      shell == "zsh" ? "autoload -U +X bashcompinit && bashcompinit\n" : "";
  return std::string(prelude) + BashScript(app);
}

}  // namespace nunatak::cli
