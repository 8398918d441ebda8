#include "nunatak/cli/scan_options.h"

#include <fmt/format.h>

#include <thread>
#include <utility>

#include "nunatak/iceberg/iceberg_source.h"
#include "nunatak/inspect/size_text.h"

namespace nunatak::cli {

void ScanCommandOptions::AddWhereTo(CLI::App* verb) {
  verb->add_option("--where", where,
                   "Filter: SQL-like text, or the REST specification's expression JSON")
      ->type_name("FILTER");
  cache.AddTo(verb);
}

Context MakeContext() {
  Context context;
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

OpenedScan OpenScan(const ScanCommandOptions& options) {
  OpenedScan scan{Open(options), nullptr, {}};
  scan.source =
      iceberg::MakeSnapshotSource(scan.opened.table, scan.opened.snapshot, options.cache.Cache());
  scan.filter = BindFilter(options.where, scan.source->schema(), !options.ignore_case);
  return scan;
}

}  // namespace nunatak::cli
