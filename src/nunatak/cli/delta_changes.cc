#include "nunatak/cli/delta_changes.h"

#include <arrow/record_batch.h>
#include <fmt/format.h>

#include <memory>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/cli/column_names.h"
#include "nunatak/delta/change_reader.h"
#include "nunatak/delta/version_times.h"
#include "nunatak/read/select_fields.h"

namespace nunatak::cli {

namespace {

/// The version after which changes are wanted. That it is there is asked only where it comes after
/// the last one of interest: what comes before may have been cleaned up.
int64_t FromVersion(const DeltaTable& opened, const delta::VersionTimes& times,
                    const Context& context, const DeltaChangesOptions& options,
                    const delta::Snapshot& last) {
  const int64_t from = delta::NamedVersion(times, options.from);
  if (from <= last.version) return from;
  delta::LoadSnapshot(opened.table, context, from);
  ThrowUsage(fmt::format("version {} comes after version {}", from, last.version),
             "name the older one first");
}

}  // namespace

void PrintDeltaChanges(const DeltaTable& opened, const DeltaChangesOptions& options,
                       ScanOutput* output) {
  const Context context = MakeContext(options.memory);
  const delta::VersionTimes times(opened.table, *opened.snapshot);
  std::shared_ptr<const delta::Snapshot> last = opened.snapshot;
  if (!options.to.empty()) {
    last = std::make_shared<const delta::Snapshot>(
        delta::LoadSnapshot(opened.table, context, delta::NamedVersion(times, options.to)));
  }
  const Schema columns = delta::WithVersionColumns(last->schema());
  delta::ChangeRequest request;
  if (options.from != "-") {
    request.from_exclusive = FromVersion(opened, times, context, options, *last);
  }
  request.projection = SelectFields(columns, SplitColumnNames(options.select.value_or("*")),
                                    /*case_sensitive=*/false);
  request.filter = BindFilter(options.where, columns, /*case_sensitive=*/false);
  request.options.limit = options.limit.value_or(-1);
  const Schema projection = request.projection;
  Progress progress = ShowReads("changes", opened.table.io);
  delta::ChangeReader reader(opened.table, context, last, std::move(request));
  output->Begin(projection, reader.schema(), context.memory_budget);
  while (const std::shared_ptr<arrow::RecordBatch> batch = reader.Next()) {
    if (output->on_screen()) progress.Stop();  // rows and progress would share the screen
    output->Write(*batch);
  }
  output->Finish();
}

}  // namespace nunatak::cli
