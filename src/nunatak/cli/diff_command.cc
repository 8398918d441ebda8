#include <memory>
#include <string>

#include "nunatak/base/error.h"
#include "nunatak/cli/cache_options.h"
#include "nunatak/cli/commands.h"
#include "nunatak/cli/table_options.h"
#include "nunatak/inspect/table_diff.h"

namespace nunatak::cli {

namespace {

struct DiffCommandOptions : TableOptions {
  std::string from;
  std::string to;
  bool stat = false;
  CacheOptions cache;
};

bool IsMetadataFile(const std::string& name) {
  return name.ends_with(".metadata.json") || name.ends_with(".metadata.json.gz");
}

void PrintDiff(const DiffCommandOptions& options, const DiffSide& from, const DiffSide& to) {
  const auto cache = options.cache.Cache();
  const nlohmann::ordered_json diff =
      TableDiff(from, to, {.summary = options.stat, .cache = cache.get()});
  PrintObject(options.format, diff, DiffText(diff));
}

/// Two metadata files, each with its current snapshot.
void DiffFiles(const DiffCommandOptions& options) {
  TableOptions other = options;
  other.location = options.from;
  const IcebergTable from = OpenIceberg(options, "diff");
  const IcebergTable to = OpenIceberg(other, "diff");
  PrintDiff(options, {&from.table, from.snapshot}, {&to.table, to.snapshot});
}

/// Two snapshots of one table.
void DiffSnapshots(const DiffCommandOptions& options) {
  const IcebergTable opened = OpenIceberg(options, "diff");
  const iceberg::TableMetadata& metadata = *opened.table.metadata;
  const iceberg::ChosenSnapshot to =
      options.to.empty() ? opened.snapshot : iceberg::ChooseNamed(metadata, options.to);
  iceberg::ChosenSnapshot from{.snapshot = nullptr, .schema = to.schema};
  if (options.from != "-") from = iceberg::ChooseNamed(metadata, options.from);
  const auto [old_side, new_side] = DiffSidesOf(opened.table, from, to);
  PrintDiff(options, old_side, new_side);
}

void Diff(const DiffCommandOptions& options) {
  if (!IsMetadataFile(options.from)) return DiffSnapshots(options);
  if (!options.to.empty()) {
    ThrowUsage("diff: two metadata files are compared as they are, without a snapshot");
  }
  DiffFiles(options);
}

}  // namespace

void AddDiffCommand(CLI::App* app, const AddCommand& add) {
  auto options = std::make_shared<DiffCommandOptions>();
  CLI::App* verb =
      app->add_subcommand("diff", "What is different between two snapshots, or two metadata files");
  options->AddLocationTo(verb, Serves::kIceberg);
  verb->add_option("FROM", options->from,
                   "A snapshot (id, branch, tag or time; - for before the first), or another "
                   "metadata file")
      ->required()
      ->type_name("");
  verb->add_option("TO", options->to, "The other snapshot (default: the current one)")
      ->type_name("");
  verb->add_flag("--stat", options->stat, "Only the sums, without a list of manifests and files");
  AddFormat(verb, &options->format);
  options->cache.AddTo(verb);
  verb->footer(
      "Examples:\n  nunatak diff warehouse/orders 2026-06-01\n"
      "  nunatak diff warehouse/orders yesterday --stat\n"
      "  nunatak diff warehouse/orders v1.0 main --stat\n"
      "  nunatak diff orders/metadata/00003-a.metadata.json orders/metadata/00004-b.metadata.json");
  add(verb, [options] { Diff(*options); });
}

}  // namespace nunatak::cli
