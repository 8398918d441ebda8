#include "nunatak/cli/scan_options.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>
#include <utility>

#include "nunatak/expr/names_field.h"
#include "nunatak/inspect/size_text.h"
#include "nunatak/table/metadata_columns.h"

namespace nunatak::cli {

void ScanCommandOptions::AddWhereTo(CLI::App* verb) {
  verb->add_option("--where", where,
                   "Filter: SQL-like text, or the REST specification's expression JSON")
      ->type_name("FILTER");
  verb->add_option("--since", since,
                   "Only what appends added after this snapshot (id, ref or time; -: all appends)")
      ->type_name("SNAPSHOT");
  AddIgnoreCaseTo(verb);
  cache.AddTo(verb);
  memory.AddTo(verb);
}

void ScanCommandOptions::AddPruningTo(CLI::App* verb) {
  verb->add_flag("--no-pruning", no_pruning,
                 "Read every row group and page of the planned files, whatever its statistics say");
  verb->add_flag("--arrow-decoder", arrow_decoder,
                 "Decode every Parquet column with Arrow's reader: the same rows, slower");
}

CLI::Option* AddLimit(CLI::App* verb, std::optional<int64_t>* limit) {
  return AddNumber(verb, "--limit", "Stop after this many rows", limit)
      ->type_name("N")
      ->check([](const std::string& text) {
        return text.starts_with('-') ? "must be 0 or more" : std::string();
      });
}

Context MakeContext(const MemoryOption& memory) {
  Context context;
  context.memory_budget = memory.Budget();
  context.executor = MakeThreadPool(static_cast<int>(std::thread::hardware_concurrency()));
  return context;
}

Progress ShowReads(std::string doing, std::shared_ptr<FileIO> io) {
  return Progress(Terminal::Of(stderr), [doing = std::move(doing), io = std::move(io)] {
    const IoCounters counters = io->counters();
    return fmt::format("{}: {} requests, {}", doing, counters.requests,
                       SizeText(counters.bytes_read));
  });
}

OpenedScan OpenScan(const ScanCommandOptions& options, const Context& context) {
  const auto start = std::chrono::steady_clock::now();
  OpenedScan scan{Open(options, context), options.cache.Cache(), {}, {}};
  scan.input = MakeScanInput(scan.opened, {.cache = scan.cache, .since = options.since});
  scan.case_sensitive = !options.ignore_case && !scan.opened.ignores_case();
  ReadRequest& request = scan.input.request;
  const Expr filter = ParseFilter(options.where);
  scan.filter = Bind(filter, request.schema, scan.case_sensitive, options.where);
  request.with_deleted = NamesField(filter, request.schema, kDeletedColumnId, scan.case_sensitive);
  scan.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return scan;
}

}  // namespace nunatak::cli
