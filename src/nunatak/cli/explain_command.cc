#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "nunatak/cli/commands.h"
#include "nunatak/cli/scan_options.h"
#include "nunatak/inspect/explain/explain_sections.h"
#include "nunatak/inspect/explain/explanation_output.h"

namespace nunatak::cli {

namespace {

struct ExplainOptions : ScanCommandOptions {
  std::optional<std::string> file;
  bool deep = false;
};

void Explain(const ExplainOptions& options) {
  const Context context = MakeContext(options.memory);
  const OpenedScan scan = OpenScan(options, context);
  Progress progress = ShowReads("explaining", scan.opened.io());
  if (options.file) {
    const FileExplanation explanation =
        ExplainFile(context, scan.input.source, scan.filter, *options.file);
    progress.Stop();
    return PrintObject(options.format, ExplanationToJson(explanation),
                       ExplanationText(explanation));
  }
  ScanExplanation explanation = ExplainScan(context, scan.input.source, scan.filter,
                                            options.splits.OptionsFor(scan.input.find_property));
  explanation.manifests.name = scan.input.group_nouns;
  if (options.deep) {
    const std::shared_ptr<PlanStream> plan =
        TableScan(scan.input.source, scan.filter, {}).Stream(context);
    explanation.sections = ExplainSections(*scan.opened.io(), context, scan.input.request,
                                           scan.filter, [plan] { return plan->Next(); });
  }
  std::vector<Advice> advice = AdviseOn(explanation, scan.input.source->schema(), scan.input.spec);
  if (scan.opened.format() != TableFormat::kIceberg) {
    // Elsewhere no property says which metrics are kept, and no transform makes partitions.
    std::erase_if(advice, [](const Advice& piece) { return piece.kind != "sort-order"; });
  }
  progress.Stop();
  PrintObject(options.format, ExplanationToJson(explanation, advice),
              ExplanationText(explanation, advice));
}

}  // namespace

void AddExplainCommand(CLI::App* app, const AddCommand& add) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* explain = app->add_subcommand(
      "explain", "What a query reads, what it leaves out at each layer, and why");
  options->AddTo(explain);
  options->AddWhereTo(explain);
  explain->add_flag("--deep", options->deep,
                    "Open the footers of the planned files: which row groups are left out");
  explain
      ->add_option(
          "--file", options->file,
          "One data file: each term of the filter with the bounds it was held against, and "
          "which deletes apply to it")
      ->type_name("PATH")
      ->excludes("--deep");
  explain->footer(
      "Examples:\n  nunatak explain warehouse/orders --where \"status = 'shipped'\"\n"
      "  nunatak explain warehouse/orders --where 'amount > 100' --deep\n"
      "  nunatak explain warehouse/orders --where 'amount > 100' --file 00000-5-a.parquet\n"
      "  nunatak explain warehouse/orders --where 'amount > 100' --format json | jq .advice");
  add(explain, [options] { Explain(*options); });
}

}  // namespace nunatak::cli
