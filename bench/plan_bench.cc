// Planning a real table whose files the operating system has in its cache: the whole table, and one
// file of it.
#include <benchmark/benchmark.h>

#include <string>

#include "nunatak/expr/bound_filter.h"
#include "nunatak/iceberg/iceberg_source.h"
#include "nunatak/plan/table_scan.h"

namespace nunatak {
namespace {

iceberg::Table Bookshop() {
  return iceberg::OpenTable(MakeLocalFileIO(), std::string(NUNATAK_TEST_DATA) + "/bookshop-orders",
                            {.moved = true});
}

void Plan(benchmark::State& state, const char* where) {
  const iceberg::Table table = Bookshop();
  size_t files = 0;
  for (auto _ : state) {
    const auto source =
        iceberg::MakeSnapshotSource(table, iceberg::ChooseSnapshot(*table.metadata, {}));
    const TableScan scan(source, BindFilter(where, source->schema()));
    files = scan.PlanFiles(Context{}).tasks.size();
  }
  state.counters["files"] = static_cast<double>(files);
  state.counters["manifests"] = 15;
}

BENCHMARK_CAPTURE(Plan, whole_table, "");
BENCHMARK_CAPTURE(Plan, one_file, "order_id = 42");

void OpenTable(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Bookshop());
}
BENCHMARK(OpenTable);

}  // namespace
}  // namespace nunatak
