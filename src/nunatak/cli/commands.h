#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace nunatak::cli {

/// A verb's work, run after the command line was parsed; its options live with it.
using Command = std::function<void()>;

/// Receives each verb with its work.
using AddCommand = std::function<void(CLI::App* verb, Command run)>;

/// show, tree, schema: what a table is.
void AddTableCommands(CLI::App* app, const AddCommand& add);
/// snapshots, history, refs, manifests, files, entries: the rows of the metadata tables.
void AddMetadataCommands(CLI::App* app, const AddCommand& add);
void AddExplainCommand(CLI::App* app, const AddCommand& add);
/// plan, scan, count.
void AddPlanCommand(CLI::App* app, const AddCommand& add);
void AddScanCommands(CLI::App* app, const AddCommand& add);
/// changes, history-of, diff: what became of rows and of the table.
void AddChangesCommand(CLI::App* app, const AddCommand& add);
void AddHistoryOfCommand(CLI::App* app, const AddCommand& add);
void AddDiffCommand(CLI::App* app, const AddCommand& add);
/// cache show, cache clear.
void AddCacheCommands(CLI::App* app, const AddCommand& add);
/// health.
void AddHealthCommand(CLI::App* app, const AddCommand& add);
/// verify.
void AddVerifyCommand(CLI::App* app, const AddCommand& add);
/// du, stats.
void AddUsageCommands(CLI::App* app, const AddCommand& add);

/// A verb whose check found something throws it, once all is printed: the exit code is 1.
struct CheckFailed {};

void AddCompletionCommand(CLI::App* app, const AddCommand& add);

/// Parses the command line and runs its verb; returns the exit code.
int Run(int argc, char** argv);

}  // namespace nunatak::cli
