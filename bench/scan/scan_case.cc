// Scans one case of the table that generate.py wrote, and prints what it cost as one line of JSON.
//
//   scan_case SCAN_DIR TABLE OPERATION THREADS REPETITIONS [arrow]
//
// TABLE: plain, deletes … as expected.json names them. OPERATION: full (all columns), proj3
// (three), clustered and unclustered (all columns of a thousandth of the rows), count. Batches are
// dropped as they come. With `arrow`, all columns are decoded by Arrow's reader.
//
// Exits with 1 when the scan has another number of rows than expected.json says.
#include <arrow/record_batch.h>
#include <fmt/format.h>

#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "../plan/measurement.h"
#include "nunatak/base/error.h"
#include "nunatak/expr/bound_filter.h"
#include "nunatak/iceberg/iceberg_source.h"
#include "nunatak/io/file_io.h"
#include "nunatak/plan/table_scan.h"
#include "nunatak/read/count_rows.h"
#include "nunatak/read/select_fields.h"
#include "nunatak/read/table_reader.h"

namespace nunatak::bench {
namespace {

using nlohmann::json;

struct Case {
  std::string metadata;
  std::string filter;
  std::vector<std::string> columns;
  bool is_count = false;
  int64_t rows = 0;
};

Case ReadCase(const std::string& folder, const std::string& table, const std::string& operation) {
  const json expected = json::parse(std::ifstream(folder + "/expected.json"));
  Case wanted{.metadata = expected.at(table), .is_count = operation == "count"};
  const json& rows = expected.at("rows_" + table);
  wanted.rows = rows.at(rows.contains(operation) ? operation : "all");
  if (operation == "clustered" || operation == "unclustered") {
    const json& range = expected.at(operation);
    const std::string column = range.at(0);
    wanted.filter =
        fmt::format("{} >= {} and {} < {}", column, range.at(1).dump(), column, range.at(2).dump());
  }
  if (operation == "proj3") wanted.columns = expected.at("projection");
  return wanted;
}

int64_t Scan(const Case& wanted, const std::shared_ptr<FileIO>& io, const Context& context,
             bool only_arrow) {
  const iceberg::Table table = iceberg::OpenTable(io, wanted.metadata);
  const auto source =
      iceberg::MakeSnapshotSource(table, iceberg::ChooseSnapshot(*table.metadata, {}));
  const Schema& schema = source->schema();
  const TableScan scan(source, BindFilter(wanted.filter, schema));
  ReadRequest request{.schema = schema, .projection = schema};
  if (!wanted.columns.empty()) request.projection = SelectFields(schema, wanted.columns);
  request.options.only_arrow = only_arrow;
  const std::shared_ptr<PlanStream> plan = scan.Stream(context);
  const NextTask next_task = [plan] { return plan->Next(); };
  if (wanted.is_count) return CountRows(table.io, context, request, next_task);
  TableReader reader(table.io, context, request, next_task);
  int64_t rows = 0;
  while (const auto batch = reader.Next()) rows += batch->num_rows();
  return rows;
}

int Run(const std::string& folder, const std::string& table, const std::string& operation,
        int threads, int repetitions, bool only_arrow) {
  const Case wanted = ReadCase(folder, table, operation);
  const Context context{.executor = threads > 1 ? MakeThreadPool(threads - 1) : nullptr};
  const std::shared_ptr<FileIO> io = MakeLocalFileIO();
  Measurement measurement;
  int64_t rows = 0;
  for (int i = 0; i < repetitions; ++i) {
    rows = measurement.Time([&] { return Scan(wanted, io, context, only_arrow); });
  }
  measurement.Print(rows, 0);
  if (rows == wanted.rows) return 0;
  fmt::print(stderr, "scan_case: {} {}: {} rows, where {} are right\n", table, operation, rows,
             wanted.rows);
  return 1;
}

}  // namespace
}  // namespace nunatak::bench

int main(int argc, char** argv) {
  if (argc < 6 || argc > 7) {
    fmt::print(stderr, "usage: scan_case SCAN_DIR TABLE OPERATION THREADS REPETITIONS [arrow]\n");
    return 2;
  }
  try {
    return nunatak::bench::Run(argv[1], argv[2], argv[3], std::stoi(argv[4]), std::stoi(argv[5]),
                               argc == 7);
  } catch (const std::exception& error) {
    fmt::print(stderr, "scan_case: {}\n", error.what());
    return 1;
  }
}
