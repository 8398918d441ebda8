// Plans a table of any format from its location, as often as asked, and prints what that took as
// one line of JSON.
//
//   list_case FORMAT LOCATION FILTER REPETITIONS [local|latent] [one-schema]
//
// latent: every request is answered after 30 ms, and a listing has one request for each 1,000
// names, as object stores have it. one-schema: `hive::TableOptions::merge_schemas` is off.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <memory>
#include <string>
#include <thread>

#include "../plan/measurement.h"
#include "nunatak/base/error.h"
#include "nunatak/expr/bound_filter.h"
#include "nunatak/open/open_table.h"
#include "nunatak/open/scan_input.h"
#include "nunatak/plan/table_scan.h"

namespace nunatak::bench {
namespace {

constexpr int64_t kNamesPerPage = 1000;

/// This machine's files, counted, and as if they were far away.
class StoreFileIO final : public FileIO {
 public:
  StoreFileIO(std::shared_ptr<FileIO> files, std::chrono::milliseconds latency)
      : files_(std::move(files)), latency_(latency) {}
  std::shared_ptr<FileIO> WithLocations(LocationMap locations) const override {
    return std::make_shared<StoreFileIO>(files_->WithLocations(std::move(locations)), latency_);
  }
  bool waits() const override { return latency_.count() > 0; }
  int64_t sent() const { return sent_; }

 protected:
  Buffer DoReadAll(const std::string& mapped) override {
    Send(1);
    return files_->ReadAll(mapped);
  }
  Buffer DoRead(const std::string& mapped, ByteRange range) override {
    Send(1);
    Buffer read;
    const FetchRequest request{mapped, range};
    files_->Fetch(Context{.io_concurrency = 1}, {&request, 1},
                  [&](size_t, Buffer bytes) { read = std::move(bytes); });
    return read;
  }
  int64_t DoSize(const std::string& mapped) override {
    Send(1);
    return files_->Size(mapped);
  }
  std::vector<FileInfo> DoList(const std::string& mapped) override {
    std::vector<FileInfo> files = files_->List(mapped);
    Send(std::max<int64_t>((static_cast<int64_t>(files.size()) + kNamesPerPage - 1) / kNamesPerPage,
                           1));
    for (FileInfo& file : files) file.location.erase(0, file.location.rfind('/') + 1);
    return files;
  }

 private:
  void Send(int64_t requests) {
    sent_ += requests;
    if (waits()) std::this_thread::sleep_for(latency_ * requests);
  }

  std::shared_ptr<FileIO> files_;
  std::chrono::milliseconds latency_;
  std::atomic<int64_t> sent_ = 0;
};

void Run(TableFormat format, const std::string& location, const std::string& filter,
         int repetitions, bool latent, bool one_schema) {
  const Context context{.executor = MakeThreadPool(1)};
  double best = std::numeric_limits<double>::infinity();
  double best_cpu = best;
  int64_t sent = 0;
  PlanCounts counts;
  for (int i = 0; i < repetitions; ++i) {
    const double cpu_start = CpuSeconds();
    const auto start = std::chrono::steady_clock::now();
    const auto io = std::make_shared<StoreFileIO>(MakeLocalFileIO(),
                                                  std::chrono::milliseconds(latent ? 30 : 0));
    const OpenedTable opened = OpenTable(
        io, context, location, {.format = format, .hive = {.merge_schemas = !one_schema}});
    const ScanInput input = MakeScanInput(opened);
    const TableScan scan(input.source, BindFilter(filter, input.request.schema));
    counts = scan.PlanFiles(context).counts;
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
    best_cpu = std::min(best_cpu, CpuSeconds() - cpu_start);
    sent = io->sent();
  }
  fmt::print(
      R"({{"files": {}, "requests": {}, "seconds": {:.4f}, "cpu_seconds": {:.4f}, "peak_mb": {:.1f}}})"
      "\n",
      counts.planned_files, sent, best, best_cpu, PeakMegabytes());
}

}  // namespace
}  // namespace nunatak::bench

int main(int argc, char** argv) {
  if (argc < 5) {
    fmt::print(stderr,
               "usage: list_case FORMAT LOCATION FILTER REPETITIONS [local|latent] [one-schema]\n");
    return 2;
  }
  try {
    nunatak::bench::Run(nunatak::ParseTableFormat(argv[1]), argv[2], argv[3], std::stoi(argv[4]),
                        argc > 5 && std::string(argv[5]) == "latent", argc > 6);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "list_case: {}\n", error.what());
    return 1;
  }
}
