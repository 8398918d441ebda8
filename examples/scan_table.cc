// Opens a table, plans which files a filter needs, reads them as Arrow record batches and prints
// the rows:
//
//     scan_table warehouse/orders "status = 'shipped'"

#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <nunatak/base/error.h>
#include <nunatak/iceberg/iceberg_source.h>
#include <nunatak/plan/table_scan.h>
#include <nunatak/read/cell.h>
#include <nunatak/read/table_reader.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <utility>

namespace {

void Scan(const std::string& location, const std::string& filter) {
  nunatak::Context context;
  context.executor = nunatak::MakeThreadPool(static_cast<int>(std::thread::hardware_concurrency()));

  const auto io = nunatak::MakeLocalFileIO();
  // A table that was copied is read where it lies now.
  const nunatak::iceberg::Table table = nunatak::iceberg::OpenTable(io, location, {.moved = true});
  const auto snapshot = nunatak::iceberg::ChooseSnapshot(*table.metadata, {});
  const auto source = nunatak::iceberg::MakeSnapshotSource(table, snapshot);
  const nunatak::Schema& schema = source->schema();

  const nunatak::TableScan scan(source, nunatak::BindFilter(filter, schema));
  nunatak::TableScan::Result plan = scan.PlanFiles(context);
  std::cout << plan.tasks.size() << " files\n";

  nunatak::TableReader reader(table.io, context, {.schema = schema, .projection = schema},
                              std::move(plan.tasks));
  std::cout << reader.schema()->ToString() << "\n";
  while (const std::shared_ptr<arrow::RecordBatch> batch = reader.Next()) {
    for (int64_t row = 0; row < batch->num_rows(); ++row) {
      std::cout << nunatak::RowToJson(schema, *batch, row).dump() << "\n";
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: scan_table TABLE [FILTER]\n";
    return 2;
  }
  try {
    Scan(argv[1], argc > 2 ? argv[2] : "");
  } catch (const nunatak::Error& error) {
    std::cerr << error.message() << "\n" << error.hint() << "\n";
    return nunatak::ExitCode(error.code());
  }
}
