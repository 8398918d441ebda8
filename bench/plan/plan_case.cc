// Plans one case of a table that generate.py wrote, and prints what it cost as one line of JSON.
//
//   plan_case TABLE CASE THREADS REPETITIONS [MODE]
//
// Each repetition starts from the location of the metadata file. MODE:
//   cold    ends with a vector of tasks; nothing is kept in between, except by the operating system
//   stream  the same, but the tasks are dropped as they come
//   warm    cold, with one ManifestCache for all; the first repetition fills it and is not measured
//   sweep   warm, but the files are only swept over as views
//   latent  cold, each request for a file answered after 30 ms
//
// Exits with 1 when the plan has another number of files or of attached deletes than expected.json
// says.
#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "measurement.h"
#include "nunatak/base/error.h"
#include "nunatak/expr/bound_filter.h"
#include "nunatak/iceberg/iceberg_source.h"
#include "nunatak/iceberg/manifest_cache.h"
#include "nunatak/io/file_io.h"
#include "nunatak/plan/table_scan.h"

namespace nunatak::bench {
namespace {

using nlohmann::json;

/// A budget for every manifest of every table.
constexpr int64_t kAll = int64_t{8} << 30;

struct Case {
  std::string metadata;
  std::string filter;
  int64_t files = 0;
  int64_t delete_refs = 0;
};

/// [["ts", ">=", "timestamp", "2020-01-01T00:00:00"], …], all of which must hold, as filter text.
std::string FilterText(const json& predicates) {
  std::string text;
  for (const json& predicate : predicates) {
    const json& value = predicate.at(3);
    text += fmt::format(
        "{}{} {} {}", text.empty() ? "" : " and ", predicate.at(0).get<std::string>(),
        predicate.at(1).get<std::string>(),
        value.is_string() ? fmt::format("'{}'", value.get<std::string>()) : value.dump());
  }
  return text;
}

Case ReadCase(const std::string& table, const std::string& name) {
  const json expected = json::parse(std::ifstream(table + "/expected.json"));
  const json& found = expected.at("cases").at(name);
  return {expected.at("metadata"), FilterText(found.at("predicates")), found.at("files"),
          found.at("delete_refs")};
}

/// What a plan came to; the tasks are kept so that destroying them is not measured.
struct Planned {
  int64_t files = 0;
  int64_t delete_refs = 0;
  std::vector<FileScanTask> tasks = {};
};

/// This machine's files as if they were far away.
class LatentFileIO final : public FileIO {
 public:
  explicit LatentFileIO(std::shared_ptr<FileIO> files) : files_(std::move(files)) {}
  std::shared_ptr<FileIO> WithLocations(LocationMap locations) const override {
    return std::make_shared<LatentFileIO>(files_->WithLocations(std::move(locations)));
  }

 protected:
  Buffer DoReadAll(const std::string& mapped) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    return files_->ReadAll(mapped);
  }
  Buffer DoRead(const std::string&, ByteRange) override { ThrowUsage("planning reads no ranges"); }
  int64_t DoSize(const std::string& mapped) override { return files_->Size(mapped); }
  std::vector<FileInfo> DoList(const std::string& mapped) override { return files_->List(mapped); }

 private:
  std::shared_ptr<FileIO> files_;
};

using CachePtr = std::shared_ptr<iceberg::ManifestCache>;

TableScan OpenScan(const Case& wanted, std::shared_ptr<FileIO> io, CachePtr cache) {
  const iceberg::Table table = iceberg::OpenTable(std::move(io), wanted.metadata);
  const auto source = iceberg::MakeSnapshotSource(
      table, iceberg::ChooseSnapshot(*table.metadata, {}), std::move(cache));
  return TableScan(source, BindFilter(wanted.filter, source->schema()));
}

Planned Collect(const TableScan& scan, const Context& context) {
  TableScan::Result plan = scan.PlanFiles(context);
  return {plan.counts.planned_files, plan.counts.delete_references, std::move(plan.tasks)};
}

Planned Drop(const TableScan& scan, const Context& context) {
  const PlanCounts counts = scan.Plan(context, [](FileScanTask) {});
  return {counts.planned_files, counts.delete_references};
}

Planned Sweep(const TableScan& scan, const Context& context) {
  const auto selections = scan.Select(context);
  while (selections->Next()) continue;
  return {selections->counts().planned_files, -1};
}

struct Mode {
  Planned (*plan)(const TableScan&, const Context&);
  bool is_warm = false;
  bool is_latent = false;
};

const std::map<std::string, Mode> kModes = {{"cold", {Collect}},
                                            {"stream", {Drop}},
                                            {"warm", {Collect, true}},
                                            {"sweep", {Sweep, true}},
                                            {"latent", {Collect, false, true}}};

/// The calling thread works too, so a pool has one thread less than are to compute.
Context MakeContext(int threads) {
  return {.executor = threads > 1 ? MakeThreadPool(threads - 1) : nullptr};
}

int Run(const std::string& table, const std::string& name, int threads, int repetitions,
        const Mode& mode) {
  const Case wanted = ReadCase(table, name);
  const Context context = MakeContext(threads);
  const auto cache = mode.is_warm ? std::make_shared<iceberg::ManifestCache>(
                                        iceberg::ManifestCacheOptions{.max_column_bytes = kAll})
                                  : nullptr;
  std::shared_ptr<FileIO> io = MakeLocalFileIO();
  if (mode.is_latent) io = std::make_shared<LatentFileIO>(io);
  const auto plan = [&] { return mode.plan(OpenScan(wanted, io, cache), context); };
  if (mode.is_warm) plan();
  Measurement measurement;
  int64_t files = 0;
  int64_t delete_refs = 0;
  for (int i = 0; i < repetitions; ++i) {
    const Planned planned = measurement.Time(plan);
    files = planned.files;
    delete_refs = planned.delete_refs < 0 ? wanted.delete_refs : planned.delete_refs;
  }
  measurement.Print(files, delete_refs);
  if (files == wanted.files && delete_refs == wanted.delete_refs) return 0;
  fmt::print(stderr, "plan_case: {} {}: {} files with {} deletes, where {} with {} are right\n",
             table, name, files, delete_refs, wanted.files, wanted.delete_refs);
  return 1;
}

}  // namespace
}  // namespace nunatak::bench

int main(int argc, char** argv) {
  using nunatak::bench::kModes;
  const auto mode = kModes.find(argc == 6 ? argv[5] : "cold");
  if (argc < 5 || argc > 6 || mode == kModes.end()) {
    fmt::print(stderr,
               "usage: plan_case TABLE CASE THREADS REPETITIONS "
               "[cold|stream|warm|sweep|latent]\n");
    return 2;
  }
  try {
    return nunatak::bench::Run(argv[1], argv[2], std::stoi(argv[3]), std::stoi(argv[4]),
                               mode->second);
  } catch (const std::exception& error) {
    fmt::print(stderr, "plan_case: {}\n", error.what());
    return 1;
  }
}
