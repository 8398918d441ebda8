#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

namespace nunatak::cli {

/// A script that makes a shell ("bash", "zsh" or "fish") complete the verbs of the command and the
/// options of each.
std::string CompletionScript(const CLI::App& app, std::string_view shell);

}  // namespace nunatak::cli
