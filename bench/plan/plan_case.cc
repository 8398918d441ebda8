// Plans one case of a table that generate.py wrote, and prints what it cost as one line of JSON.
//
//   plan_case TABLE CASE THREADS REPETITIONS
//
// Each repetition starts from the location of the metadata file and ends with a vector of tasks;
// nothing is kept in between, except by the operating system. Exits with 1 when the plan has
// another number of files or of attached deletes than expected.json says.
#include <fmt/format.h>

#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "measurement.h"
#include "nunatak/base/error.h"
#include "nunatak/expr/bound_filter.h"
#include "nunatak/iceberg/iceberg_source.h"
#include "nunatak/plan/table_scan.h"

namespace nunatak::bench {
namespace {

using nlohmann::json;

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

/// A plan with everything new. What repetitions are to share, such as a cache, is a parameter here.
TableScan::Result PlanOnce(const Case& wanted, const Context& context) {
  const iceberg::Table table = iceberg::OpenTable(MakeLocalFileIO(), wanted.metadata);
  const auto source =
      iceberg::MakeSnapshotSource(table, iceberg::ChooseSnapshot(*table.metadata, {}));
  return TableScan(source, BindFilter(wanted.filter, source->schema())).PlanFiles(context);
}

/// The calling thread works too, so a pool has one thread less than are to compute.
Context MakeContext(int threads) {
  return {.executor = threads > 1 ? MakeThreadPool(threads - 1) : nullptr};
}

int Run(const std::string& table, const std::string& name, int threads, int repetitions) {
  const Case wanted = ReadCase(table, name);
  const Context context = MakeContext(threads);
  Measurement measurement;
  int64_t files = 0;
  int64_t delete_refs = 0;
  for (int i = 0; i < repetitions; ++i) {
    const TableScan::Result plan = measurement.Time([&] { return PlanOnce(wanted, context); });
    files = static_cast<int64_t>(plan.tasks.size());
    delete_refs = 0;
    for (const FileScanTask& task : plan.tasks) {
      delete_refs += static_cast<int64_t>(task.deletes.size());
    }
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
  if (argc != 5) {
    fmt::print(stderr, "usage: plan_case TABLE CASE THREADS REPETITIONS\n");
    return 2;
  }
  try {
    return nunatak::bench::Run(argv[1], argv[2], std::stoi(argv[3]), std::stoi(argv[4]));
  } catch (const std::exception& error) {
    fmt::print(stderr, "plan_case: {}\n", error.what());
    return 1;
  }
}
